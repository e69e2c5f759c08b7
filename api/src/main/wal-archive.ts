import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

interface WalArchiveState {
  failedAttempts: number
  /** In seconds since 1970; 0 if never. */
  lastArchivedAt: number
}

export async function walArchiveState(db: Database): Promise<WalArchiveState> {
  const { rows } = await sql<WalArchiveState>`
    select failed_count::float8 as "failedAttempts",
      coalesce(extract(epoch from last_archived_time), 0)::float8 as "lastArchivedAt"
    from pg_stat_archiver`.execute(db)
  return rows[0]!
}
