import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Queryable } from './database.ts'

export interface Window {
  key: Buffer
  /** How many are let through. */
  most: number
  seconds: number
}

const counted = ({ key, most, seconds }: Window, where: RawBuilder<unknown>) => sql`
  insert into limits as kept (key, count, resets_at)
  select ${key}::bytea, 1, now() + make_interval(secs => ${seconds}) ${where}
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

export interface Backoff {
  key: Buffer
  /** How many are let through before the waiting begins. */
  free: number
  /** The longest wait; before it each is twice the one before, from one minute. */
  mostMinutes: number
}

const paced = ({ key, free, mostMinutes }: Backoff) => sql`
  insert into limits as kept (key, count, resets_at)
  values (${key}, 1, now() + interval '1 day')
  on conflict (key) do update set
    count = case when kept.resets_at <= now() then 1 else kept.count + 1 end,
    resets_at = excluded.resets_at,
    blocked_until = case when kept.resets_at > now() and kept.count + 1 >= ${free}
      then now() + make_interval(mins => least(power(2, kept.count + 1 - ${free}), ${mostMinutes})::int)
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
export async function giveBack(db: Queryable, key: Buffer): Promise<void> {
  await sql`update limits set count = greatest(count - 1, 0) where key = ${key}`.execute(db)
}

/** What was counted turned out to be right: it starts anew. */
export async function forget(db: Queryable, keys: readonly Buffer[]): Promise<void> {
  await sql`delete from limits where key = any(${keys}::bytea[])`.execute(db)
}

/**
 * Takes back what `takeBoth` counted. The first is looked up before the second is touched: everyone locks
 * the two in the same order, so nobody waits for each other.
 */
export async function giveBackBoth(db: Queryable, backoff: Buffer, window: Buffer): Promise<void> {
  await sql`
    with forgotten as (delete from limits where key = ${backoff} returning key)
    update limits set count = greatest(count - 1, 0)
    where key = ${window} and (select count(*) from forgotten) >= 0`.execute(db)
}

/** Seconds until the wait of any of these, or the window of one that is full, is over; at least one. */
export async function secondsToWait(
  db: Queryable,
  keys: readonly Buffer[],
  most: number,
): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(
      case when blocked_until > now() then blocked_until when count >= ${most} then resets_at end) - now()))::int
      as seconds
    from limits where key = any(${keys}::bytea[])`.execute(db)
  return Math.max(rows[0]?.seconds ?? 1, 1)
}
