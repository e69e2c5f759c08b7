import { setTimeout as delay } from 'node:timers/promises'
import { requirePrimary } from '../db/primary.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { NotReady } from '../platform/readiness.ts'
import type { Config } from './config/config.ts'
import { withDatabase } from './schema.ts'

const RETRY_MS = 1_000
const LOG_EVERY_MS = 10_000

/**
 * Waits while the database is unreachable or read-only, as during a change of the primary. Limited, so that a wrong
 * address ends the process with a message instead of leaving it waiting.
 */
export async function waitForPrimary(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_WAIT_SECONDS'>,
  log: Log,
): Promise<void> {
  const end = performance.now() + config.DATABASE_WAIT_SECONDS * 1000
  let loggedAt = -Infinity
  for (;;) {
    try {
      return await withDatabase({ config, log }, (_db, pool) => requirePrimary(pool))
    } catch (error) {
      if (!(error instanceof NotReady) && !isUnavailable(error)) throw error
      if (performance.now() + RETRY_MS > end) throw explainedEnd(error)
      if (performance.now() - loggedAt >= LOG_EVERY_MS) {
        log.warn({ reason: reasonOf(error) }, 'database: waiting for a primary')
        loggedAt = performance.now()
      }
      await delay(RETRY_MS)
    }
  }
}

const reasonOf = (error: unknown) =>
  error instanceof NotReady ? error.message : ((error as NodeJS.ErrnoException).code ?? 'timeout')

const explainedEnd = (error: unknown) =>
  error instanceof NotReady
    ? new OperatorError(
        'PostgreSQL is read-only. Point DATABASE_URL to the primary, or end its recovery.',
      )
    : error
