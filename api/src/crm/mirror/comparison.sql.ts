import { sql } from 'kysely'
import { now } from '../../db/database.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Kind, ReadFields } from '../port.ts'
import { isReadHere } from './fields.sql.ts'
import { tableOf } from './rows.sql.ts'

/** Where the comparison of a kind with the CRM continues. */
export interface Comparison {
  kind: Kind
  afterId: string
  /** When its previous step ended, to the microsecond. */
  steppedAt: string | null
  /** Whether all rows are read again, because their fields changed. */
  rereading: boolean
}

/**
 * The kind that has waited longest among those that were not compared completely since `since`; undefined if
 * there is none. A kind that the mirror has not read recently is left out: its differences are ordinary. With
 * `onlyRereading`, only the kinds whose fields changed.
 */
export async function nextComparison(
  db: Database,
  readFields: ReadFields,
  {
    since,
    except,
    onlyRereading = false,
  }: { since: string; except: readonly Kind[]; onlyRereading?: boolean },
): Promise<Comparison | undefined> {
  const row = await db
    .selectFrom('crm_sync_cursor')
    .select([
      'kind',
      'compared_id as afterId',
      sql<string | null>`compared_step_at::text`.as('steppedAt'),
      'rereading',
    ])
    .where(sql<boolean>`case when rereading then completed_at is not null
      else not ${onlyRereading} and pass_as_of is null and completed_at > now() - interval '1 hour'
        and coalesce(compared_at < ${since}::timestamptz, true) end`)
    .where(sql<boolean>`kind <> all(${except}::text[])`)
    .where(isReadHere(readFields))
    .orderBy('compared_step_at', (order) => order.asc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, kind: row.kind as Kind }
}

export async function currentTime(db: Queryable): Promise<string> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(db)
  return rows[0]!.at.toISOString()
}

/** Returns false if another job has compared this range, or the fields have changed since it was read. */
export async function lockComparison(
  tx: Tx,
  readFields: ReadFields,
  { kind, afterId, steppedAt, rereading }: Comparison,
): Promise<boolean> {
  const row = await tx
    .selectFrom('crm_sync_cursor')
    .select('kind')
    .where('kind', '=', kind)
    .where('compared_id', '=', afterId)
    .where(sql<boolean>`compared_step_at is not distinct from ${steppedAt}::timestamptz`)
    .where('rereading', '=', rereading)
    .where(isReadHere(readFields))
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** `lastId` is undefined for the last range of the kind. */
export async function recordComparison(
  tx: Tx,
  { kind, afterId }: Comparison,
  lastId: string | undefined,
  repaired: number,
): Promise<void> {
  await tx
    .updateTable('crm_sync_cursor')
    .set({
      compared_id: lastId ?? '',
      compared_step_at: now,
      ...(lastId === undefined && { compared_at: now, rereading: false }),
      repaired: afterId === '' ? String(repaired) : sql<string>`repaired + ${repaired}`,
    })
    .where('kind', '=', kind)
    .execute()
}

/** More rows than that in the range of one page of the CRM are not an ordinary difference. */
export const MAX_ROWS_IN_RANGE = 10_000

/** Salesforce orders ids by their bytes. */
const rowsIn = ({ kind, afterId }: Comparison, lastId: string | undefined) => sql`
  select id, (extract(epoch from modified_at) * 1000)::bigint as modified
  from ${tableOf(kind)} where not deleted and id collate "C" > ${afterId}
    and (${lastId ?? null}::text is null or id collate "C" <= ${lastId ?? null})
  order by id collate "C" limit ${MAX_ROWS_IN_RANGE + 1}`

/** The SHA-256 of the ids and times of the mirrored rows in a range, as `hashOf` in `compare-range.ts` formats them. */
export async function hashOfRange(
  db: Queryable,
  comparison: Comparison,
  lastId: string | undefined,
): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(convert_to(coalesce(
      string_agg(id || ' ' || modified, ',' order by id collate "C"), ''), 'UTF8')), 'hex') as hash
    from (${rowsIn(comparison, lastId)}) as live`.execute(db)
  return rows[0]!.hash
}

/** The times of the mirrored rows in a range, in milliseconds, by id. */
export async function versionsInRange(
  db: Queryable,
  comparison: Comparison,
  lastId: string | undefined,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; modified: string }>`
    ${rowsIn(comparison, lastId)}`.execute(db)
  return new Map(rows.map(({ id, modified }) => [id, Number(modified)]))
}
