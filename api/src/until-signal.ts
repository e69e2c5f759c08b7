import type { Log } from './http/log.ts'

const GRACE_MS = 25_000

/** Ends the process in order at SIGTERM or SIGINT: what is in flight is finished first. */
export function closeOnSignal(close: () => Promise<void>, log: Log): void {
  let closing = false
  const end = () => {
    if (closing) return
    closing = true
    log.info('closing')
    // A request or job that never ends must not keep the process alive for ever.
    setTimeout(() => process.exit(1), GRACE_MS).unref()
    close().then(
      () => log.info('closed'),
      (err: unknown) => {
        log.error({ err }, 'closing failed')
        process.exitCode = 1
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
