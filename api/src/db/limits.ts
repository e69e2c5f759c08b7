import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Queryable, Tx } from './database.ts'

interface Counter {
  key: Buffer
  /** The hash of the email that it is about, for clearing all counters of an account. */
  subject?: Buffer
}

export interface Window extends Counter {
  /** How many tries are allowed. */
  max: number
  seconds: number
  /** How much this try counts; 1 by default. */
  amount?: number
}

/** `from` is an optional FROM clause; if it has no row, nothing is counted. */
export const countInWindow = (
  { key, subject, max, seconds, amount = 1 }: Window,
  from: RawBuilder<unknown> = sql``,
) => sql`
  insert into limits as stored (key, subject, count, resets_at)
  select ${key}::bytea, ${subject ?? null}::bytea, ${amount}::int, now() + make_interval(secs => ${seconds}) ${from}
  on conflict (key) do update set
    count = case when stored.resets_at <= now() then excluded.count else stored.count + excluded.count end,
    resets_at = case when stored.resets_at <= now() then excluded.resets_at else stored.resets_at end
  where stored.resets_at <= now() or stored.count < ${max}
  returning key`

/**
 * Counts one try in a window that starts with its first try; false if the window is full. Call it before the
 * work that it limits: it is one statement, so that concurrent tries cannot exceed the limit.
 */
export async function take(db: Queryable, window: Window): Promise<boolean> {
  const { rows } = await countInWindow(window).execute(db)
  return rows.length > 0
}

export interface Backoff extends Counter {
  /** How many tries are allowed before the first wait. */
  free: number
  /** Waits start at one minute and double up to this. */
  maxMinutes: number
}

/** Keeps the power of two from overflowing; `maxMinutes` is always much lower. */
const DOUBLINGS_MAX = 16

export const countWithBackoff = (
  { key, subject, free, maxMinutes }: Backoff,
  from: RawBuilder<unknown> = sql``,
) => sql`
  insert into limits as stored (key, subject, count, resets_at)
  select ${key}::bytea, ${subject ?? null}::bytea, 1, now() + interval '1 day' ${from}
  on conflict (key) do update set
    count = case when stored.resets_at <= now() then 1 else stored.count + 1 end,
    resets_at = excluded.resets_at,
    blocked_until = case when stored.resets_at > now() and stored.count + 1 >= ${free}
      then now() + make_interval(mins =>
        least(power(2, least(stored.count + 1 - ${free}, ${DOUBLINGS_MAX})), ${maxMinutes})::int)
      else '-infinity' end
  where stored.blocked_until <= now()
  returning key`

/** Like `take`, but after the free tries each further one doubles the next wait. Expires after a day. */
export async function takeWithBackoff(db: Queryable, backoff: Backoff): Promise<boolean> {
  const { rows } = await countWithBackoff(backoff).execute(db)
  return rows.length > 0
}

/** Removes one correct try from the counter; earlier tries still count. */
export async function removeTry(db: Queryable, { key }: Counter): Promise<void> {
  await subtractTry(key).execute(db)
}

export const subtractTry = (key: Buffer) =>
  sql`update limits set count = greatest(count - 1, 0) where key = ${key}`

/** Resets the counter after a correct try. */
export async function reset(db: Queryable, { key }: Counter): Promise<void> {
  await sql`delete from limits where key = ${key}`.execute(db)
}

const CLEAR_TRIES = 5

/**
 * Deletes every counter of these subjects. Locked counters are skipped and tried again, not waited for,
 * because their transaction may wait for a row that this one has locked.
 */
export async function clearSubject(tx: Tx, subjects: readonly Buffer[]): Promise<void> {
  const ofSubject = sql`from limits where subject = any(${subjects}::bytea[])`
  for (let tries = 0; tries < CLEAR_TRIES; tries += 1) {
    await sql`delete from limits
      where key in (select key ${ofSubject} for update skip locked)`.execute(tx)
    const { rows } = await sql`select ${ofSubject} limit 1`.execute(tx)
    if (rows.length === 0) return
  }
}

/** Seconds until none of these counters blocks; at least 1. */
export async function secondsToWait(
  db: Queryable,
  counters: readonly (Window | Backoff)[],
): Promise<number> {
  const keys = counters.map(({ key }) => key)
  const maxCounts = counters.map((counter) => ('max' in counter ? counter.max : null))
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(
      case when blocked_until > now() then blocked_until when count >= max_count then resets_at end) - now()))::int
      as seconds
    from limits join unnest(${keys}::bytea[], ${maxCounts}::int[]) as requested (key, max_count) using (key)`.execute(
    db,
  )
  return Math.max(rows[0]?.seconds ?? 1, 1)
}
