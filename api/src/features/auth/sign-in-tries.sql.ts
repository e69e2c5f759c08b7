import { sql } from 'kysely'
import type { Queryable } from '../../db/database.ts'
import { countInWindow, countWithBackoff, subtractTry } from '../../db/limits.ts'
import type { Backoff, Window } from '../../db/limits.ts'
import { selectCredentials } from '../../db/users.ts'
import type { Credentials } from '../../db/users.ts'

/** The counters of a sign-in from an unknown device. */
interface SignInCounters {
  address: Window
  /** Of the email and the address. */
  pair: Backoff
  /** Of the email. */
  daily: Window
  /** Replaces `daily` while `cleared` runs. */
  afterClearing: Window
  cleared: Window
}

interface CountedSignIn {
  /** Whether the counter of the address allowed the try. */
  byAddress: boolean
  /** Whether all counters allowed the try. */
  byAll: boolean
  isCleared: boolean
  account: Credentials | undefined
}

/**
 * Counts a sign-in and reads its account, in one statement, which keeps sign-ins fast. Each counter counts only what
 * the one before it allowed, so all statements lock the counters in the order address, pair, account.
 */
export async function countSignIn(
  db: Queryable,
  email: string,
  { address, pair, daily, afterClearing, cleared }: SignInCounters,
): Promise<CountedSignIn> {
  const { rows } = await sql<Omit<CountedSignIn, 'account'> & Partial<Credentials>>`
    with cleared as (select from limits where key = ${cleared.key} and resets_at > now()),
    by_address as (${countInWindow(address)}),
    by_pair as (${countWithBackoff(pair, sql`from by_address`)}),
    by_day as (${countInWindow(daily, sql`from by_pair where not exists (select from cleared)`)}),
    after_clearing as (${countInWindow(afterClearing, sql`from by_pair where exists (select from cleared)`)}),
    account as (${selectCredentials(db, email)})
    select exists (select from by_address) as "byAddress",
      exists (select from by_day union all select from after_clearing) as "byAll",
      exists (select from cleared) as "isCleared", account.*
    from (values (true)) as always left join account on true`.execute(db)
  const { byAddress, byAll, isCleared, ...account } = rows[0]!
  return {
    byAddress,
    byAll,
    isCleared,
    account: account.id ? (account as Credentials) : undefined,
  }
}

/**
 * Undoes what `countSignIn` counted, and resets the pair. The conditions `>= 0` are always true: they only make each
 * change run after the one before, in the same order of locks.
 */
export async function removeSignIn(
  db: Queryable,
  { address, pair, perAccount }: { address: Window; pair: Backoff; perAccount: Window },
): Promise<void> {
  await sql`
    with by_address as (${subtractTry(address.key)} returning key),
    by_pair as (delete from limits
      where key = ${pair.key} and (select count(*) from by_address) >= 0 returning key)
    ${subtractTry(perAccount.key)} and (select count(*) from by_pair) >= 0`.execute(db)
}
