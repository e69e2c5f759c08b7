import { sql } from 'kysely'
import type { Database, Queryable, Tx } from './database.ts'
import type { OutboxKind } from './schema.ts'

export interface OutboxEntry {
  number: string
  userId: string
  kind: OutboxKind
  entityId: string
  /** The CRM row that a try has chosen to write to; null before the first try. */
  target: string | null
}
export type NewEntry = Pick<OutboxEntry, 'userId' | 'kind' | 'entityId'>

export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  await tx
    .insertInto('crm_outbox')
    .values({ user_id: entry.userId, kind: entry.kind, entity_id: entry.entityId })
    .execute()
}

/** No other worker sends entries of this veteran until the transaction ends. */
export async function lockOutbox(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('crm.outbox ' || ${userId}, 0))`.execute(
    tx,
  )
}

/**
 * The veteran's oldest unsent entry, locked until the transaction ends; undefined if there is none. A refused
 * entry blocks the later ones.
 */
export async function lockNextEntry(
  tx: Tx,
  userId: string,
): Promise<(OutboxEntry & { refused: boolean }) | undefined> {
  await lockOutbox(tx, userId)
  return tx
    .selectFrom('crm_outbox')
    .select([
      'number',
      'user_id as userId',
      'kind',
      'entity_id as entityId',
      'target',
      sql<boolean>`refused_at is not null`.as('refused'),
    ])
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
}

export async function setTarget(tx: Tx, number: string, target: string): Promise<void> {
  await tx.updateTable('crm_outbox').set({ target }).where('number', '=', number).execute()
}

/** Not `now()`: that is when the transaction began, which may be before the previous entry was sent. */
const clock = sql<Date>`clock_timestamp()`

export async function countUnsent(db: Queryable, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('crm_outbox')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function markSent(tx: Tx, number: string): Promise<void> {
  await tx.updateTable('crm_outbox').set({ sent_at: clock }).where('number', '=', number).execute()
}

export async function markRefused(tx: Tx, number: string, refusal: string): Promise<void> {
  await tx
    .updateTable('crm_outbox')
    .set({ refused_at: clock, refusal })
    .where('number', '=', number)
    .execute()
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

export async function usersWithUnsent(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom('crm_outbox')
    .select('user_id as userId')
    .distinct()
    .where('sent_at', 'is', null)
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function clearRefusals(tx: Tx): Promise<void> {
  await tx
    .updateTable('crm_outbox')
    .set({ refused_at: null, refusal: null })
    .where('sent_at', 'is', null)
    .where('refused_at', 'is not', null)
    .execute()
}

export async function outboxState(db: Database) {
  const [depth, refusals] = await Promise.all([
    db
      .selectFrom('crm_outbox')
      .select([
        sql<number>`count(*)::int`.as('waiting'),
        sql<number | null>`extract(epoch from now() - min(created_at))::int`.as('oldestSeconds'),
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
