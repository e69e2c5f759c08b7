import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Deletes every job, in any state, whose data names one of these ids. Returns the count. */
export async function deleteJobsOf(tx: Tx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    delete from pgboss.job
    where data ->> 'userId' = any(${ids}) or data ->> 'documentId' = any(${ids})
      or data ->> 'challengeId' = any(${ids})
    returning 1`.execute(tx)
  return rows.length
}
