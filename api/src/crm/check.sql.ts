import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'

export interface CrmCheck {
  /** `stopped`: the CRM lacks something or refuses the portal's user, so nothing is read or sent. */
  state: 'fits' | 'unreachable' | 'stopped'
  /** What the operator must fix. */
  problems: readonly string[]
  /** Optional fields and objects that the CRM lacks; the portal leaves them out. */
  missing: readonly string[]
}

/** All workers use the same org, so the newest check replaces the stored one. */
export async function recordCheck(
  db: Queryable,
  { state, problems, missing }: CrmCheck,
): Promise<void> {
  await sql`
    insert into crm_check as last (state, problems, missing) values (${state}, ${problems}, ${missing})
    on conflict (only_row) do update set state = excluded.state, problems = excluded.problems,
      missing = excluded.missing, checked_at = now(),
      since = case when last.state = excluded.state then last.since else now() end`.execute(db)
}

export async function latestCheck(db: Queryable) {
  return db
    .selectFrom('crm_check')
    .select(['state', 'problems', 'missing', 'since', 'checked_at as checkedAt'])
    .executeTakeFirst()
}
