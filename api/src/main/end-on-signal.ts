import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../platform/log.ts'

/** Ctrl-C sends the signal twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500

export interface Ending {
  /** Reports not ready and continues to serve until balancers have noticed. */
  drain?: { begin(): void; seconds: number }
  /** Finishes requests or jobs in flight. */
  close(): Promise<void>
  /** Limits `close`, because a request or job may never end. */
  graceMs: number
}

/** Shuts the process down at SIGTERM or SIGINT; a second signal ends it at once. */
export function endOnSignal({ drain, close, graceMs }: Ending, log: Log): void {
  let signalledAt: number | undefined
  const end = async () => {
    if (drain && drain.seconds > 0) {
      log.info('shutdown: draining')
      drain.begin()
      await delay(drain.seconds * 1000)
    }
    log.info('shutdown: closing')
    setTimeout(() => {
      log.warn('shutdown: timed out')
      process.exit(1)
    }, graceMs).unref()
    await close()
    log.info('shutdown: closed')
  }
  const onSignal = () => {
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    signalledAt = performance.now()
    end().catch((err: unknown) => {
      log.error({ err }, 'shutdown: failed')
      process.exitCode = 1
    })
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
