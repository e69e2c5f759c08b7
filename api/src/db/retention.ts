import { statement } from './database.ts'
import type { Queryable } from './database.ts'

/** Deletes up to `limit` rows that expired more than `hours` ago. Returns the count. */
type DeleteExpired = (db: Queryable, hours: number, limit: number) => Promise<number>

export interface Retention {
  /** How long a row is kept after it has expired. */
  hours: number
  delete: DeleteExpired
  /** Rows in one statement; fewer where each row has many dependent rows. */
  batch?: number
}

export const DAY_HOURS = 24

/** SQL for the time before which rows are due; `$1` is the number of hours. */
const DUE_BEFORE = 'now() - make_interval(hours => $1::int)'

/**
 * Oldest first, so that the index on `expiry` finds them. Locked rows are skipped and left for the
 * next run, so that the sweep and other transactions never wait for each other.
 */
export function deleteExpired(
  table: string,
  { key = ['id'], expiry, where = 'true' }: { key?: string[]; expiry: string; where?: string },
): DeleteExpired {
  const sameKey = key.map((column) => `${table}.${column} = due.${column}`).join(' and ')
  const run = statement<{ count: number }>(`
    with due as (
      select ${key.join(', ')} from ${table} where ${expiry} < ${DUE_BEFORE} and ${where}
      order by ${expiry} limit $2 for update skip locked),
    gone as (delete from ${table} using due where ${sameKey} returning 1)
    select count(*)::int as count from gone`)
  return async (db, hours, limit) => (await run(db, hours, limit))[0]!.count
}
