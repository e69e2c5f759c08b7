import { sql } from 'kysely'
import { now } from '../../db/database.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { OutboxKind } from '../../db/schema.ts'
import { needsLink } from '../links/links.sql.ts'

/** Longer than a call can take; renewed before and after it. The claim of a worker that died expires by itself. */
const CLAIM_SECONDS = 60
/** After this time, the CRM is read again before a write. Twice the longest time between two rounds. */
const SEARCH_VALID_SECONDS = 120
const ENTRIES_PER_VETERAN = 20
const MAX_RETRY_SECONDS = 60

export interface OutboxEntry {
  number: string
  userId: string
  kind: OutboxKind
  entityId: string
  /** The CRM row that a try has chosen to write to; null before the first try. */
  target: string | null
  /** Whether the target was chosen just now, and no write to it was tried since. */
  searched: boolean
}
export type NewEntry = Pick<OutboxEntry, 'userId' | 'kind' | 'entityId'>

export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  await tx
    .insertInto('crm_outbox')
    .values({ user_id: entry.userId, kind: entry.kind, entity_id: entry.entityId })
    .execute()
}

/**
 * Claims the oldest unsent entry of each veteran and the entries of the same kind that directly follow it, up to
 * `limit`, oldest veterans first. The contact comes first, because all others name it. Else a refused or postponed
 * entry blocks the later ones of its veteran.
 */
export async function claimEntries(tx: Tx, claim: string, limit: number): Promise<OutboxEntry[]> {
  const { rows } = await sql<OutboxEntry>`
    with heads as materialized (
      select number, user_id, kind from crm_outbox head
      where sent_at is null and refused_at is null
        and (claimed_until is null or claimed_until <= now())
        and (retry_at is null or retry_at <= now())
        and not exists (
          select from crm_outbox earlier
          where earlier.user_id = head.user_id and earlier.sent_at is null
            and case when 'contact' in (earlier.kind, head.kind) and earlier.kind <> head.kind
              then earlier.kind = 'contact' else earlier.number < head.number end)
        and not ${sql.raw(needsLink('head'))}
      order by number limit ${limit}
      for update skip locked
    ), chosen as (
      select next.number, head.number as head,
        next.target, next.searched_at > now() - make_interval(secs => ${SEARCH_VALID_SECONDS}) as searched
      from heads head cross join lateral (
        select *, bool_and(kind = head.kind and not repeated and refused_at is null
            and (claimed_until is null or claimed_until <= now())
            and (retry_at is null or retry_at <= now())) over (order by number) as follows
        from (
          select *, row_number() over (partition by entity_id order by number) > 1 as repeated
          from (
            select * from crm_outbox unsent
            where unsent.user_id = head.user_id and sent_at is null and unsent.number >= head.number
            order by number limit ${ENTRIES_PER_VETERAN}
          ) first_unsent
        ) unsent
      ) next
      where next.follows
      order by head.number, next.number limit ${limit}
    ), claimed as (
      update crm_outbox set claim = ${claim}, searched_at = null,
        claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
      from chosen where crm_outbox.number = chosen.number and sent_at is null
        and (claimed_until is null or claimed_until <= now())
      returning crm_outbox.number, user_id, kind, entity_id, chosen.target, chosen.searched, head
    )
    select number, user_id as "userId", kind, entity_id as "entityId", target,
      coalesce(searched, false) as searched
    from claimed order by head, number`.execute(tx)
  return rows
}

/** Locks the entry until the transaction ends. False if the claim has expired and another worker has the entry. */
export async function holdsClaim(tx: Tx, number: string, claim: string): Promise<boolean> {
  const row = await tx
    .selectFrom('crm_outbox')
    .select('number')
    .where('number', '=', number)
    .where('claim', '=', claim)
    .where('sent_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

const unclaimed = { claim: null, claimed_until: null }

const claimUntil = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`

/** Returns the entries that are still claimed. */
export async function renewClaim(db: Queryable, claim: string): Promise<Set<string>> {
  const rows = await db
    .updateTable('crm_outbox')
    .set({ claimed_until: claimUntil(CLAIM_SECONDS) })
    .where('claim', '=', claim)
    .where('sent_at', 'is', null)
    .returning('number')
    .execute()
  return new Set(rows.map(({ number }) => number))
}

/** Releases everything that a round has claimed and not recorded, after this many seconds. */
export async function releaseClaim(db: Queryable, claim: string, seconds = 0): Promise<void> {
  await db
    .updateTable('crm_outbox')
    .set(seconds > 0 ? { claimed_until: claimUntil(seconds) } : unclaimed)
    .where('claim', '=', claim)
    .where('sent_at', 'is', null)
    .execute()
}

export async function release(tx: Tx, number: string): Promise<void> {
  await tx.updateTable('crm_outbox').set(unclaimed).where('number', '=', number).execute()
}

export async function releaseWithTarget(
  tx: Tx,
  number: string,
  { target, searched }: { target: string; searched: boolean },
): Promise<void> {
  await tx
    .updateTable('crm_outbox')
    .set({ ...unclaimed, target, searched_at: searched ? now : null, tries: 0, retry_at: null })
    .where('number', '=', number)
    .execute()
}

const POSTPONED = sql`claim = null, claimed_until = null, tries = tries + 1,
  retry_at = clock_timestamp() + make_interval(secs => least(${MAX_RETRY_SECONDS}, 2 ^ least(tries + 1, 10)))`

/** After a temporary failure; the delay doubles with each try. */
export async function postpone(tx: Tx, number: string): Promise<void> {
  await sql`update crm_outbox set ${POSTPONED} where number = ${number}`.execute(tx)
}

/** Postpones everything that a round has claimed and not recorded. */
export async function postponeClaim(db: Queryable, claim: string): Promise<void> {
  await sql`update crm_outbox set ${POSTPONED} where claim = ${claim} and sent_at is null`.execute(
    db,
  )
}

/** Not `now()`: that is when the transaction began, which may be before the previous entry was sent. */
const clock = sql<Date>`clock_timestamp()`

export async function markSent(tx: Tx, number: string): Promise<void> {
  await tx
    .updateTable('crm_outbox')
    .set({ ...unclaimed, sent_at: clock })
    .where('number', '=', number)
    .execute()
}

export async function markRefused(tx: Tx, number: string, refusal: string): Promise<void> {
  await tx
    .updateTable('crm_outbox')
    .set({ ...unclaimed, refused_at: clock, refusal })
    .where('number', '=', number)
    .execute()
}

/**
 * Locks the unsent entries of an account until the transaction ends, so that no worker sends them. False while one of
 * them is being sent. Does not wait: a worker that records a result may wait for the account.
 */
export async function lockUnsent(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ isIdle: boolean }>`
    with locked as (
      select claimed_until from crm_outbox where user_id = ${userId} and sent_at is null
      for update skip locked)
    select (select count(*) from crm_outbox where user_id = ${userId} and sent_at is null)
      = (select count(*) from locked where claimed_until is null or claimed_until <= clock_timestamp())
      as "isIdle"`.execute(tx)
  return rows[0]!.isIdle
}

export async function hasEntry(db: Queryable, userId: string, kind: OutboxKind): Promise<boolean> {
  const row = await db
    .selectFrom('crm_outbox')
    .select('number')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The entries are due at once, also those that the CRM refused. Returns the number of veterans. */
export async function makeAllDue(tx: Tx): Promise<number> {
  await tx
    .updateTable('crm_outbox')
    .set({ refused_at: null, refusal: null, tries: 0, retry_at: null })
    .where('sent_at', 'is', null)
    .where((either) => either.or([either('refused_at', 'is not', null), either('tries', '>', 0)]))
    .execute()
  const { count } = await tx
    .selectFrom('crm_outbox')
    .select(sql<number>`count(distinct user_id)::int`.as('count'))
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The account has another contact: its entries are due at once, also refused ones, and start from the beginning. */
export async function startAgain(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('crm_outbox')
    .set({ refused_at: null, refusal: null, tries: 0, retry_at: null, target: null })
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .execute()
}

/** The refused entries of an account; at most one, because it blocks the later ones. */
export async function refusalsOf(db: Queryable, userId: string) {
  const rows = await db
    .selectFrom('crm_outbox')
    .select(['kind', 'refusal as code'])
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .where('refused_at', 'is not', null)
    .orderBy('number')
    .execute()
  return rows.map(({ kind, code }) => ({ kind, code: code ?? '' }))
}

export async function outboxState(db: Database) {
  const [depth, refusals] = await Promise.all([
    db
      .selectFrom('crm_outbox')
      .select([
        sql<number>`count(*)::int`.as('waiting'),
        // Those that need a link wait for staff, not for the CRM.
        sql<number | null>`extract(epoch from now() - min(created_at) filter (
          where not ${sql.raw(needsLink('crm_outbox'))}))::int`.as('oldestSeconds'),
        sql<number>`(count(*) filter (where ${sql.raw(needsLink('crm_outbox'))}))::int`.as(
          'needLink',
        ),
      ])
      .where('sent_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('crm_outbox')
      .select(['kind', 'refusal', sql<number>`count(*)::int`.as('entries')])
      .where('sent_at', 'is', null)
      .where('refused_at', 'is not', null)
      .groupBy(['kind', 'refusal'])
      .execute(),
  ])
  return { ...depth, refusals }
}
