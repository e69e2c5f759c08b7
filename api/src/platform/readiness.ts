import type { Log } from './log.ts'
import { withTimeout } from './timeout.ts'

/** Health checks within this time share one result, so that PostgreSQL gets one statement a second. */
const CACHE_MS = 1_000
/** Long enough that a slow process counts as ready: otherwise the others would get its load too. */
const CHECK_TIMEOUT_MS = 4_000

/** By name; each rejects if that dependency is unavailable. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

/** Thrown by a check; its message is logged. */
export class NotReady extends Error {
  override name = 'NotReady'
}

export interface Readiness {
  /** Whether this process should receive requests. */
  ready(): Promise<boolean>
  /** Reports not ready from now on; requests are still served. */
  drain(): void
  isDraining(): boolean
}

export function readiness(checks: Checks, log: Pick<Log, 'warn' | 'info'>): Readiness {
  let isDraining = false
  let failedBefore = ''
  let checkedAt = -Infinity
  let result = Promise.resolve(true)

  const check = async (): Promise<boolean> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([kind, run]) => ({ kind, reason: await failureOf(run) })),
    )
    const failed = results.filter(({ reason }) => reason !== undefined)
    const kind = failed.map((each) => each.kind).join(', ')
    const reason = failed.map((each) => each.reason).join(', ')
    const failedNow = `${kind} ${reason}`.trim()
    // Log only changes.
    if (failedNow !== failedBefore) {
      if (failedNow === '') log.info('readiness: ready again')
      else log.warn({ kind, reason }, 'readiness: not ready')
    }
    failedBefore = failedNow
    return failedNow === ''
  }

  return {
    ready: async () => {
      if (isDraining) return false
      if (performance.now() - checkedAt >= CACHE_MS) {
        checkedAt = performance.now()
        result = check()
      }
      return (await result) && !isDraining
    },
    drain: () => {
      isDraining = true
    },
    isDraining: () => isDraining,
  }
}

/** Why the check fails: the message of `NotReady`, or a code. Other messages could quote data. */
const failureOf = (check: () => Promise<unknown>): Promise<string | undefined> =>
  withTimeout(CHECK_TIMEOUT_MS, check()).then(
    () => undefined,
    (error: NodeJS.ErrnoException) =>
      error instanceof NotReady ? error.message : (error.code ?? 'no response'),
  )
