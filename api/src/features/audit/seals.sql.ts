import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../db/database.ts'

export interface Seal {
  number: number
  untilTransaction: string
  untilId: string
  events: number
  hash: Buffer
}

/** `text` contains every column of the row in an unambiguous form, and is hashed. */
export interface SealedRow {
  transaction: string
  id: string
  text: string
}

/** The row as it is hashed; the trigger of `audit_seals` uses the same. */
const rowText = sql.raw(
  'jsonb_build_array(transaction::text, id, extract(epoch from at), event, actor_id, subject_id, details)::text as text',
)

const sealColumns = sql.raw(
  `number, until_transaction::text as "untilTransaction", until_id as "untilId", events, hash`,
)

/** Runs `work` in one worker at a time; returns undefined while another worker has the lock. */
export async function withSealLock<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('guidon.audit.seal')) as acquired`.execute(tx)
    return rows[0]?.acquired ? work(tx) : undefined
  })
}

export async function lastSeal(db: Queryable): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    select ${sealColumns} from audit_seals order by number desc limit 1`.execute(db)
  return rows[0]
}

export async function sealsFrom(db: Queryable, number: number, limit: number): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select ${sealColumns} from audit_seals where number >= ${number}
    order by number limit ${limit}`.execute(db)
  return rows
}

/**
 * The rows after a seal whose order is final, oldest first. Only transactions older than the oldest running
 * one are read, so no row can appear later in front of them.
 */
export async function settledRows(
  db: Queryable,
  after: Pick<Seal, 'untilTransaction' | 'untilId'> | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    -- Order by the column, not by its text: as text, 10 sorts before 9.
    select transaction::text as transaction, id, ${rowText}
    from audit_events
    -- A subquery is computed once, an expression once for each partition.
    where transaction < (select audit_number(pg_snapshot_xmin(pg_current_snapshot())))
      and (transaction, id) > (${after?.untilTransaction ?? '0'}::xid8,
        ${after?.untilId ?? '00000000-0000-0000-0000-000000000000'}::uuid)
    order by audit_events.transaction, id limit ${limit}`.execute(db)
  return rows
}

/** The rows in the log up to an event, oldest first. */
export async function rowsUntil(
  db: Queryable,
  until: Pick<Seal, 'untilTransaction' | 'untilId'>,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select transaction::text as transaction, id, ${rowText} from audit_events
    where (transaction, id) <= (${until.untilTransaction}::xid8, ${until.untilId}::uuid)
    order by audit_events.transaction, id limit ${limit}`.execute(db)
  return rows
}

/** The age of the oldest event without a seal; 0 if every event has one. */
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
 * Keeps transaction numbers increasing after the log was restored from a cluster whose counter was higher.
 * Call it before anything is logged. Each check is one statement, because a statement's own number is higher
 * than any that it can see.
 */
export async function continueTransactionNumbers(db: Queryable): Promise<void> {
  const currentNumber = sql`pg_current_xact_id()::text::bigint`
  const highest = sql`(select max(transaction)::text::bigint from audit_events)`
  const { rows } = await sql`
    select from audit_epoch where ${highest} > ${currentNumber} + ahead`.execute(db)
  // Only the owner may write this table; processes with the application's role start later.
  if (rows.length === 0) return
  await sql`
    update audit_epoch set ahead = ${highest} - ${currentNumber} + 1
    where ${highest} > ${currentNumber} + ahead`.execute(db)
}
