import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'
import type { Seal } from './seals.sql.ts'

export interface Archive {
  /** Such as 202611. */
  month: string
  untilSeal: number
  untilTransaction: string
  untilId: string
  /** Of the last seal. */
  hash: Buffer
  events: number
  /** Of the events that archived seals cover but that are still in the log. */
  leftHash: Buffer
  fileSha256: Buffer
}

/** Oldest first. */
export async function archives(db: Queryable): Promise<Archive[]> {
  const { rows } = await sql<Archive>`
    select month, until_seal as "untilSeal", until_transaction::text as "untilTransaction",
      until_id as "untilId", hash, events::float8 as events, left_hash as "leftHash",
      file_sha256 as "fileSha256"
    from audit_archives order by month`.execute(db)
  return rows
}

/** The oldest month of the log, and whether it ended at least so many months ago. */
export async function oldestMonth(db: Queryable, months: number) {
  const { rows } = await sql<{ month: string; isOldEnough: boolean }>`
    select right(relname, 6) as month,
      to_date(right(relname, 6), 'YYYYMM') + interval '1 month'
        <= now() at time zone 'UTC' - make_interval(months => ${months}) as "isOldEnough"
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit_events'::regclass and relname ~ '^audit_events_[0-9]{6}$'
    order by relname limit 1`.execute(db)
  return rows[0]
}

const BEFORE_ALL = { untilTransaction: '0', untilId: '00000000-0000-0000-0000-000000000000' }

const partition = (month: string) => sql.id('partitions', `audit_events_${month}`)

/** The seal that covers the last event of the month. Needs the rights of the owner. */
export async function lastSealOf(db: Queryable, month: string) {
  const { rows } = await sql<{ events: number; seal: number | null }>`
    select count(*)::float8 as events, (
      select number from audit_seals, (
        select transaction, id from ${partition(month)} order by transaction desc, id desc limit 1) as last
      where (until_transaction, until_id) >= (last.transaction, last.id)
      order by number limit 1) as seal
    from ${partition(month)}`.execute(db)
  return rows[0]!
}

/** Locks and drops the month, unless it has an event after this seal. */
export async function dropMonth(
  tx: Tx,
  month: string,
  until: Pick<Seal, 'untilTransaction' | 'untilId'> = BEFORE_ALL,
): Promise<boolean> {
  await sql`lock table audit_events in access exclusive mode`.execute(tx)
  const { rows } = await sql`
    select from ${partition(month)}
    where (transaction, id) > (${until.untilTransaction}::xid8, ${until.untilId}::uuid) limit 1`.execute(
    tx,
  )
  if (rows.length > 0) return false
  await sql`drop table ${partition(month)}`.execute(tx)
  return true
}

export async function insertArchive(tx: Tx, archive: Archive): Promise<void> {
  await sql`
    insert into audit_archives (month, until_seal, until_transaction, until_id, hash, events, left_hash, file_sha256)
    values (${archive.month}, ${archive.untilSeal}, ${archive.untilTransaction}::xid8, ${archive.untilId},
      ${archive.hash}, ${archive.events}, ${archive.leftHash}, ${archive.fileSha256})`.execute(tx)
}

/** The seal at which an archive ends, as it follows from its row. */
export const sealOf = (archive: Archive): Seal => ({
  number: archive.untilSeal,
  untilTransaction: archive.untilTransaction,
  untilId: archive.untilId,
  events: 0,
  hash: archive.hash,
})
