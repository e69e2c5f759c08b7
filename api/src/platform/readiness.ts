import type { Log } from './log.ts'
import { withTimeout } from './timeout.ts'

/** Health checks within this time share one result, so that PostgreSQL gets one statement a second. */
const CACHE_MS = 1_000
/** Long enough that a slow process counts as ready: otherwise the others would get its load too. */
const CHECK_TIMEOUT_MS = 4_000

/** By name; each rejects if that dependency is unavailable. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

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
    const failed = await Promise.all(
      Object.entries(checks).map(async ([kind, run]) => ((await passes(run)) ? [] : [kind])),
    )
    const failedNow = failed.flat().join(', ')
    // Log only changes.
    if (failedNow !== failedBefore && failedNow !== '')
      log.warn({ kind: failedNow }, 'readiness: not ready')
    if (failedNow !== failedBefore && failedNow === '') log.info('readiness: ready again')
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

const passes = (check: () => Promise<unknown>) =>
  withTimeout(CHECK_TIMEOUT_MS, check()).then(
    () => true,
    () => false,
  )
