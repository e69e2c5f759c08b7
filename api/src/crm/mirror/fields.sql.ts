import { sql } from 'kysely'
import { withoutStatementTimeout } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import type { Kind, ReadFields } from '../port.ts'
import { tableOf } from './rows.sql.ts'

/** False if the org has changed since this worker checked it. It would then store rows without their new fields. */
export const isReadHere = (readFields: ReadFields) =>
  sql<boolean>`to_jsonb(fields) = ${JSON.stringify(readFields)}::jsonb -> kind`

/** The kinds that this worker may store. */
export async function kindsReadHere(
  db: Queryable,
  readFields: ReadFields,
): Promise<ReadonlySet<Kind>> {
  const rows = await db
    .selectFrom('crm_sync_cursor')
    .select('kind')
    .where(isReadHere(readFields))
    .execute()
  return new Set(rows.map(({ kind }) => kind as Kind))
}

/** Records what is read of each kind. A kind whose fields changed is to be read again. */
export async function recordFields(
  tx: Tx,
  read: ReadFields,
  absent: readonly Kind[],
): Promise<void> {
  await hide(tx, absent)
  const kinds = Object.entries(read).map(([kind, fields]) => ({ kind, fields }))
  await sql`
    with known as (
      select * from jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb)
        as r(kind text, fields text[]))
    insert into crm_sync_cursor as stored (kind, fields)
    select kind, fields from known order by kind
    on conflict (kind) do update set fields = excluded.fields, compared_id = '',
      compared_step_at = null,
      rereading = stored.rereading or coalesce(excluded.fields <> stored.fields, false)
    where stored.fields is distinct from excluded.fields`.execute(tx)
}

/**
 * Returns true once if there are kinds to read again, and once more later if nobody has begun: a worker of the previous
 * release may have taken the job.
 */
export async function mustStartRereading(tx: Tx): Promise<boolean> {
  const { rows } = await sql`
    update crm_sync_cursor set compared_step_at = now()
    where rereading and compared_id = '' and completed_at is not null
      and coalesce(compared_step_at < now() - interval '30 minutes', true)
    returning kind`.execute(tx)
  return rows.length > 0
}

/** Hides the rows of kinds that the CRM no longer has. They are shown again when it has the kind again. */
async function hide(tx: Tx, absent: readonly Kind[]): Promise<void> {
  const { rows } = await sql<{ kind: Kind }>`
    delete from crm_sync_cursor where kind = any(${absent}::text[]) returning kind`.execute(tx)
  if (rows.length > 0) await withoutStatementTimeout(tx)
  for (const { kind } of rows) {
    // Only claims are optional as a whole.
    const hidden = kind === 'claim' ? sql`, hidden_at = now()` : sql``
    await sql`update ${tableOf(kind)} set deleted = true ${hidden} where not deleted`.execute(tx)
  }
}
