import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './unavailable.ts'

const PAUSE_MS = 500

/**
 * Repeats `write` while the database is unavailable, for this time at most. It must be idempotent, because a failed
 * COMMIT may have been executed. For writes that record what has already happened outside the database.
 */
export async function retryWhileUnavailable<T>(
  seconds: number,
  write: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error
      await delay(PAUSE_MS)
    }
  }
}
