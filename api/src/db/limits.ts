import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Queryable, Tx } from './database.ts'

interface Counter {
  key: Buffer
  /** The email that it is about, hashed: by it the counters of an account are cleared. */
  subject?: Buffer
}

export interface Window extends Counter {
  /** How many are let through. */
  most: number
  seconds: number
}

const counted = ({ key, subject, most, seconds }: Window, where: RawBuilder<unknown>) => sql`
  insert into limits as kept (key, subject, count, resets_at)
  select ${key}::bytea, ${subject ?? null}::bytea, 1, now() + make_interval(secs => ${seconds}) ${where}
  on conflict (key) do update set
    count = case when kept.resets_at <= now() then 1 else kept.count + 1 end,
    resets_at = case when kept.resets_at <= now() then excluded.resets_at else kept.resets_at end
  where kept.resets_at <= now() or kept.count < ${most}
  returning key`

/**
 * Counts one more in a window that starts with its first. Counted before the work it limits, in one
 * statement, so that many at once cannot slip through together. False when the window is full.
 */
export async function take(db: Queryable, window: Window): Promise<boolean> {
  const { rows } = await counted(window, sql``).execute(db)
  return rows.length > 0
}

export interface Backoff extends Counter {
  /** How many are let through before the waiting begins. */
  free: number
  /** The longest wait; before it each is twice the one before, from one minute. */
  mostMinutes: number
}

/** Far above any longest wait in minutes, far below where a power of two overflows. */
const DOUBLINGS_MAX = 16

const paced = ({ key, subject, free, mostMinutes }: Backoff) => sql`
  insert into limits as kept (key, subject, count, resets_at)
  values (${key}, ${subject ?? null}, 1, now() + interval '1 day')
  on conflict (key) do update set
    count = case when kept.resets_at <= now() then 1 else kept.count + 1 end,
    resets_at = excluded.resets_at,
    blocked_until = case when kept.resets_at > now() and kept.count + 1 >= ${free}
      then now() + make_interval(mins =>
        least(power(2, least(kept.count + 1 - ${free}, ${DOUBLINGS_MAX})), ${mostMinutes})::int)
      else '-infinity' end
  where kept.blocked_until <= now()
  returning key`

/** As `take`, but after the free ones each further one makes the next wait longer. Forgotten after a day. */
export async function takeWithBackoff(db: Queryable, backoff: Backoff): Promise<boolean> {
  const { rows } = await paced(backoff).execute(db)
  return rows.length > 0
}

/** Both, in one statement; the window counts only what did not have to wait. */
export async function takeBoth(db: Queryable, backoff: Backoff, window: Window): Promise<boolean> {
  const { rows } = await sql`
    with let_through as (${paced(backoff)}) ${counted(window, sql`from let_through`)}`.execute(db)
  return rows.length > 0
}

/** What was counted turned out to be right: it does not count, but those before it do. */
export async function giveBack(db: Queryable, { key }: Counter): Promise<void> {
  await sql`update limits set count = greatest(count - 1, 0) where key = ${key}`.execute(db)
}

/** What was counted turned out to be right: it starts anew. */
export async function forget(db: Queryable, { key }: Counter): Promise<void> {
  await sql`delete from limits where key = ${key}`.execute(db)
}

/**
 * Takes back what `takeBoth` counted. The first is looked up before the second is touched: everyone locks
 * the two in the same order, so nobody waits for each other.
 */
export async function giveBackBoth(
  db: Queryable,
  backoff: Counter,
  window: Counter,
): Promise<void> {
  await sql`
    with forgotten as (delete from limits where key = ${backoff.key} returning key)
    update limits set count = greatest(count - 1, 0)
    where key = ${window.key} and (select count(*) from forgotten) >= 0`.execute(db)
}

const CLEAR_TRIES = 5

/**
 * Removes every counter about a subject. One that a try is just counting in is passed over and looked at again,
 * never waited for: its transaction may wait for a row that this one holds.
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

/** Whether something was counted in a window that is not over. */
export async function isOpen(db: Queryable, { key }: Counter): Promise<boolean> {
  const { rows } = await sql`
    select from limits where key = ${key} and resets_at > now()`.execute(db)
  return rows.length > 0
}

/** Seconds until the wait of each of these, or the window of one that is full, is over; at least one. */
export async function secondsToWait(
  db: Queryable,
  counters: readonly (Window | Backoff)[],
): Promise<number> {
  const keys = counters.map(({ key }) => key)
  const most = counters.map((counter) => ('most' in counter ? counter.most : null))
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(
      case when blocked_until > now() then blocked_until when count >= most then resets_at end) - now()))::int
      as seconds
    from limits join unnest(${keys}::bytea[], ${most}::int[]) as asked (key, most) using (key)`.execute(
    db,
  )
  return Math.max(rows[0]?.seconds ?? 1, 1)
}
