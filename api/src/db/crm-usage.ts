import { sql } from 'kysely'
import type { Usage } from '../crm/port.ts'
import type { Queryable } from './database.ts'

/** The CRM counts the calls of all workers together, so the newest figure replaces the stored one. */
export async function recordUsage(db: Queryable, { used, limit }: Usage): Promise<void> {
  await sql`
    insert into crm_api_usage (day, used, allowed) values (current_date, ${used}, ${limit})
    on conflict (day) do update set used = excluded.used, allowed = excluded.allowed, at = now()`.execute(
    db,
  )
}

export async function latestUsage(db: Queryable): Promise<Usage | undefined> {
  return db
    .selectFrom('crm_api_usage')
    .select(['used', 'allowed as limit'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
}
