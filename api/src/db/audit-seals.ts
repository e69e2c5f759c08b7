import { sql } from 'kysely'
import type { Database, Queryable, Tx } from './database.ts'

export interface Seal {
  number: number
  untilTransaction: string
  untilId: string
  events: number
  hash: Buffer
}

/** One row of the log as it is hashed: every column, in one unambiguous text made by PostgreSQL. */
export interface SealedRow {
  transaction: string
  id: string
  text: string
}

const sealColumns = sql.raw(
  `number, until_transaction::text as "untilTransaction", until_id as "untilId", events, hash`,
)

/** One sealer at a time over all workers; undefined while another is at it. */
export async function asOnlySealer<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('guidon.audit.seal')) as mine`.execute(tx)
    return rows[0]?.mine ? work(tx) : undefined
  })
}

export async function lastSeal(db: Queryable): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    select ${sealColumns} from audit_seals order by number desc limit 1`.execute(db)
  return rows[0]
}

export async function sealsFrom(db: Queryable, number: number, most: number): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select ${sealColumns} from audit_seals where number >= ${number}
    order by number limit ${most}`.execute(db)
  return rows
}

/**
 * The rows after a seal whose order is final, oldest first. A transaction below the oldest one still
 * running has ended, so nothing can appear in front of what is read here.
 */
export async function settledRows(
  db: Queryable,
  after: Pick<Seal, 'untilTransaction' | 'untilId'> | undefined,
  most: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    -- Ordered below by the number itself: by its text, 10 would come before 9.
    select transaction::text as transaction, id,
      jsonb_build_array(transaction::text, id, extract(epoch from at), event, actor_id, subject_id, details)::text as text
    from audit_events
    where transaction < audit_number(pg_snapshot_xmin(pg_current_snapshot()))
      and (transaction, id) > (${after?.untilTransaction ?? '0'}::xid8,
        ${after?.untilId ?? '00000000-0000-0000-0000-000000000000'}::uuid)
    order by audit_events.transaction, id limit ${most}`.execute(db)
  return rows
}

/** How long the first event that no seal covers has waited for one; 0 where all are covered. */
export async function oldestUnsealedSeconds(db: Queryable): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    with seal as (select until_transaction, until_id from audit_seals order by number desc limit 1)
    select extract(epoch from now() - at)::float8 as seconds from audit_events
    where (transaction, id) > (coalesce((select until_transaction from seal), '0'::xid8),
      coalesce((select until_id from seal), '00000000-0000-0000-0000-000000000000'::uuid))
    order by transaction, id limit 1`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

export async function insertSeal(db: Queryable, seal: Seal): Promise<void> {
  await sql`
    insert into audit_seals (number, until_transaction, until_id, events, hash)
    values (${seal.number}, ${seal.untilTransaction}::xid8, ${seal.untilId}, ${seal.events}, ${seal.hash})
  `.execute(db)
}

/**
 * Where the log came from a cluster that had counted further, goes on from there. To be called before
 * anything is logged. Each look is one statement, whose own number is above all that it can see.
 */
export async function continueNumbers(db: Queryable): Promise<void> {
  const counted = sql`pg_current_xact_id()::text::bigint`
  const highest = sql`(select max(transaction)::text::bigint from audit_events)`
  const { rows } = await sql`
    select from audit_epoch where ${highest} > ${counted} + ahead`.execute(db)
  // Only the owner may write it: a process under a lesser role starts after the migration that did.
  if (rows.length === 0) return
  await sql`
    update audit_epoch set ahead = ${highest} - ${counted} + 1
    where ${highest} > ${counted} + ahead`.execute(db)
}
