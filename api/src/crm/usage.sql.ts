import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import type { Purpose, Usage } from './port.ts'

/** The CRM counts the calls of all workers together, so the newest figure replaces the stored one. */
export async function recordUsage(db: Queryable, usage: Usage | undefined): Promise<void> {
  if (!usage) return
  const { used, limit } = usage
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

export async function addCalls(
  db: Queryable,
  counts: readonly (readonly [Purpose, number])[],
): Promise<void> {
  const purposes = counts.map(([purpose]) => purpose)
  const calls = counts.map(([, count]) => count)
  // In one order, so that two workers never wait for each other.
  await sql`
    insert into crm_calls as stored (day, purpose, calls)
    select current_date, purpose, calls
    from unnest(${purposes}::text[], ${calls}::int[]) as new (purpose, calls) order by purpose
    on conflict (day, purpose) do update
      set calls = stored.calls + excluded.calls, at = now()`.execute(db)
}

/** Of today and yesterday. */
export async function callsByPurpose(db: Queryable) {
  const { rows } = await sql<{ purpose: string; today: number; yesterday: number }>`
    select purpose,
      coalesce(sum(calls) filter (where day = current_date), 0)::int as today,
      coalesce(sum(calls) filter (where day = current_date - 1), 0)::int as yesterday
    from crm_calls where day >= current_date - 1 group by purpose order by purpose`.execute(db)
  return rows
}
