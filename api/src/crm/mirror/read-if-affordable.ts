import type { Database } from '../../db/database.ts'
import { CrmUnavailable } from '../port.ts'
import { isScarce } from '../quota.ts'
import { latestUsage } from '../usage.sql.ts'

/**
 * Reads ahead of the poller. Returns undefined while calls are scarce or the CRM is unavailable, which is no
 * failure: the poller reads the same rows later.
 */
export async function readIfAffordable<T>(
  db: Database,
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (isScarce(await latestUsage(db))) return undefined
  try {
    return await read()
  } catch (error) {
    if (error instanceof CrmUnavailable) return undefined
    throw error
  }
}
