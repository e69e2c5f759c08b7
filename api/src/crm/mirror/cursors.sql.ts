import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { now } from '../../db/database.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Cursor, Kind, ReadFields } from '../port.ts'
import { isReadHere } from './fields.sql.ts'

/** Longer than a call and the storing of its rows. The claim of a worker that died ends by itself. */
const CLAIM_SECONDS = 30

/** The most kinds that one call can read. */
const MAX_KINDS = 5

/** Read every 10 minutes, because they rarely change. */
const SLOW_KINDS: readonly Kind[] = ['user', 'documentCategory']
export const SLOW_SECONDS = 600
export const isSlow = (kind: Kind): boolean => SLOW_KINDS.includes(kind)

/**
 * The CRM sets the time of a change before it commits the change. So a pass starts this long before the start
 * of the previous one, and the first pass of every 10 minutes starts earlier, for transactions that commit late.
 */
const OVERLAP_SECONDS = 60
export const LONG_OVERLAP_SECONDS = 1_500
const LONG_OVERLAP_EVERY_SECONDS = 600

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** The right to read a kind, without a lock, until `until`. */
export interface Claim {
  kind: Kind
  until: string
  after: Cursor
  /** The CRM's clock at the start of the pass that this page continues; null for its first page. */
  passStartedAt: Date | null
}

const isFreeIn = (seconds: number) =>
  sql<boolean>`due_at <= ${inSeconds(seconds)} and coalesce(claimed_until <= now(), true)`
const isFree = isFreeIn(0)
/** Behind this much, the pages of several kinds could take longer than one call may take. */
const MAX_LAG_SECONDS = 3_600
const isDueEarly = sql<boolean>`(kind = any(${SLOW_KINDS})
  and completed_at > now() - make_interval(secs => ${SLOW_SECONDS - 60}))`
const isBehind = sql<boolean>`(pass_as_of is not null or completed_at is null or ${isDueEarly}
  or after_at < now() - make_interval(secs => ${MAX_LAG_SECONDS}))`

/**
 * A kind is behind before its first pass, in the middle of a pass whose last page was full, after an outage, and if
 * it is due early because another kind names a row that the mirror lacks.
 */
export async function dueKinds(
  db: Database,
  readFields: ReadFields,
): Promise<{ kind: Kind; isBehind: boolean; isReadHere: boolean }[]> {
  const rows = await db
    .selectFrom('crm_sync_cursor')
    .select([
      'kind',
      isBehind.as('isBehind'),
      sql<boolean>`coalesce(${isReadHere(readFields)}, false)`.as('isReadHere'),
    ])
    .where(isFree)
    .execute()
  return rows as { kind: Kind; isBehind: boolean; isReadHere: boolean }[]
}

interface ClaimedRow {
  kind: Kind
  until: string
  afterAt: Date
  afterId: string
  passStartedAt: Date | null
}

async function claim(
  db: Queryable,
  condition: RawBuilder<unknown>,
  limit: number,
  changes = sql``,
): Promise<Claim[]> {
  const { rows } = await sql<ClaimedRow>`
    with due as materialized (
      select kind from crm_sync_cursor where ${condition}
      order by kind = any(${SLOW_KINDS}), due_at limit ${limit} for update skip locked)
    update crm_sync_cursor as claimed set claimed_until = ${inSeconds(CLAIM_SECONDS)} ${changes}
    from due where claimed.kind = due.kind
    returning claimed.kind, claimed_until::text as until, after_at as "afterAt", after_id as "afterId",
      pass_as_of as "passStartedAt"`.execute(db)
  return rows.map(({ kind, until, afterAt, afterId, passStartedAt }) => ({
    kind,
    until,
    after: { at: afterAt.toISOString(), id: afterId },
    passStartedAt,
  }))
}

/**
 * Claims the kinds that are not behind and are due within half an interval, if the last such claim of all workers was
 * at least `everySeconds` ago. A kind that is due a moment later would otherwise wait for a whole interval more.
 */
export function claimTick(
  db: Database,
  readFields: ReadFields,
  everySeconds: number,
): Promise<Claim[]> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('crm.tick', 0)) as acquired`.execute(tx)
    if (!rows[0]?.acquired) return []
    const isTime = sql`not exists (
      select from crm_sync_cursor where ticked_at > now() - make_interval(secs => ${everySeconds}))`
    const condition = sql`${isFreeIn(everySeconds / 2)} and not ${isBehind} and ${isTime} and ${isReadHere(readFields)}`
    return claim(tx, condition, MAX_KINDS, sql`, ticked_at = now()`)
  })
}

/** Claims a kind that is behind. */
export async function claimBehind(
  db: Database,
  readFields: ReadFields,
  kind: Kind,
): Promise<Claim | undefined> {
  const condition = sql`${isFree} and ${isBehind} and kind = ${kind} and ${isReadHere(readFields)}`
  const [claimed] = await claim(db, condition, 1)
  return claimed
}

const isOwn = ({ kind, until }: Claim) =>
  sql<boolean>`kind = ${kind} and claimed_until = ${until}::timestamptz`

/** Returns false if the claim has expired and another worker has claimed the kind. */
export async function lockClaim(tx: Tx, own: Claim): Promise<boolean> {
  const row = await tx
    .selectFrom('crm_sync_cursor')
    .select('kind')
    .where(isOwn(own))
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the claim in the middle of a pass: the next page can be read at once. */
export async function advance(
  tx: Tx,
  own: Claim,
  after: Cursor,
  passStartedAt: Date,
): Promise<void> {
  await tx
    .updateTable('crm_sync_cursor')
    .set({
      after_at: new Date(after.at),
      after_id: after.id,
      pass_as_of: passStartedAt,
      claimed_until: null,
      due_at: now,
      failure: null,
    })
    .where(isOwn(own))
    .execute()
}

/** Ends the pass and the claim. The next pass is due `nextInSeconds` after this claim began. */
export async function complete(
  tx: Tx,
  own: Claim,
  passStartedAt: Date,
  nextInSeconds: number,
): Promise<void> {
  const period = (time: RawBuilder<unknown>) =>
    sql`floor(extract(epoch from ${time}) / ${LONG_OVERLAP_EVERY_SECONDS}::int)`
  const isFirstOfPeriod = sql`${period(sql`completed_at`)} is distinct from ${period(sql`now()`)}`
  const overlap = sql`case when ${isFirstOfPeriod} then ${LONG_OVERLAP_SECONDS}::int else ${OVERLAP_SECONDS}::int end`
  await tx
    .updateTable('crm_sync_cursor')
    .set({
      after_at: sql<Date>`${passStartedAt}::timestamptz - make_interval(secs => ${overlap})`,
      after_id: '',
      pass_as_of: null,
      completed_at: now,
      claimed_until: null,
      due_at: sql<Date>`claimed_until + make_interval(secs => ${nextInSeconds - CLAIM_SECONDS}::int)`,
      failure: null,
    })
    .where(isOwn(own))
    .execute()
}

/** Ends the claim after a failure. */
export async function postpone(
  db: Queryable,
  own: Claim,
  failure: string,
  seconds: number,
): Promise<void> {
  await db
    .updateTable('crm_sync_cursor')
    .set({ failed_at: now, failure, claimed_until: null, due_at: inSeconds(seconds) })
    .where(isOwn(own))
    .execute()
}

/** Makes the users due at once, if one of these case managers is not in the mirror. */
export async function requireUsers(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update crm_sync_cursor set due_at = now() where kind in (
      select kind from crm_sync_cursor where kind = 'user' and due_at > now()
        and exists (
          select from unnest(${ids}::text[]) as wanted (id)
          where not exists (select from crm_user where crm_user.id = wanted.id))
      for update skip locked)`.execute(tx)
}

export async function cursorStates(db: Queryable) {
  return db
    .selectFrom('crm_sync_cursor')
    .select([
      'kind',
      sql<number>`extract(epoch from now() - coalesce(completed_at, added_at))::int`.as(
        'lagSeconds',
      ),
      'pass_as_of as passStartedAt',
      'failure',
      'compared_at as comparedAt',
      sql<number>`repaired::int`.as('repaired'),
      'rereading',
    ])
    .orderBy('kind')
    .execute()
}
