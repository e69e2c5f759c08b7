import { sql } from 'kysely'
import type { Usage } from '../crm/port.ts'
import type { Queryable } from './database.ts'

/** The CRM counts for all of us; the newest word of any worker is the one that holds. */
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

/**
 * Takes the next turn, `spacingMs` after the one before, over all workers, and returns how long to wait for it.
 * Undefined, and no turn taken, where that would be longer than `longestMs`: turns that nobody can wait for
 * would only push the others back.
 */
export async function takeTurn(
  db: Queryable,
  spacingMs: number,
  longestMs: number,
): Promise<number | undefined> {
  const next = sql`greatest(next_turn_at, now()) + make_interval(secs => ${spacingMs / 1000})`
  const { rows } = await sql<{ waitMs: number }>`
    update crm_api_usage set next_turn_at = ${next}
    where day = (select max(day) from crm_api_usage)
      and ${next} <= now() + make_interval(secs => ${longestMs / 1000})
    returning extract(epoch from next_turn_at - now())::float8 * 1000 as "waitMs"`.execute(db)
  return rows[0]?.waitMs
}
