import { sql } from 'kysely'
import type { Queryable } from './database.ts'

/** Also deletes blocked tries that are still being counted, because they hold the source too. */
export async function removeSourcesOf(db: Queryable, ids: readonly string[]): Promise<void> {
  await sql`delete from audit_sources where user_id = any(${ids}::uuid[])`.execute(db)
  await sql`delete from blocked_tries
    where actor_id = any(${ids}::uuid[]) or subject_id = any(${ids}::uuid[])`.execute(db)
}
