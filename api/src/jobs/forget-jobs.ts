import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Removes every job, waiting, done or given up, that names one of these. Answers how many. */
export async function forgetJobs(tx: Tx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    delete from pgboss.job
    where data ->> 'userId' = any(${ids}) or data ->> 'documentId' = any(${ids})
      or data ->> 'challengeId' = any(${ids})
    returning 1`.execute(tx)
  return rows.length
}
