import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../platform/log.ts'

/** Ctrl-C reaches a process twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500

export interface Ending {
  /** Tells balancers to send nothing more, and goes on serving for as long as they need to notice. */
  drain?: { begin(): void; seconds: number }
  /** Takes nothing new and finishes what is in flight. */
  close(): Promise<void>
  /** How long that may take: a request or job that never ends must not keep the process for ever. */
  graceMs: number
}

/** Ends the process in order at SIGTERM or SIGINT; a second signal ends it at once. */
export function endOnSignal({ drain, close, graceMs }: Ending, log: Log): void {
  let since: number | undefined
  const end = async () => {
    if (drain && drain.seconds > 0) {
      log.info('draining')
      drain.begin()
      await delay(drain.seconds * 1000)
    }
    log.info('closing')
    setTimeout(() => {
      log.warn('closing took too long')
      process.exit(1)
    }, graceMs).unref()
    await close()
    log.info('closed')
  }
  const onSignal = () => {
    if (since !== undefined) {
      if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    since = performance.now()
    end().catch((err: unknown) => {
      log.error({ err }, 'closing failed')
      process.exitCode = 1
    })
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
