import { sql } from 'kysely'
import type { AuditEvent } from '../../db/audit-events.ts'
import type { Queryable } from '../../db/database.ts'

/** What a stolen account of staff would be used for. The index `audit_events_staff` has the same events. */
const EVENTS = {
  views: ['documents_viewed', 'document_viewed', 'progress_viewed', 'deliveries_viewed'],
  listings: ['users_listed'],
  links: ['account_linked', 'account_unlinked', 'link_confirmed', 'link_refused', 'link_frozen'],
  resets: ['password_set_by_staff'],
} satisfies Record<string, readonly AuditEvent[]>

type Action = keyof typeof EVENTS

const ACTIONS = Object.keys(EVENTS) as Action[]
/** As constants, or PostgreSQL would not use the index. */
const listOf = (events: readonly AuditEvent[]) => sql.join(events.map((event) => sql.lit(event)))
const ACTION = sql`case ${sql.join(
  ACTIONS.map((action) => sql`when event in (${listOf(EVENTS[action])}) then ${sql.lit(action)}`),
  sql` `,
)} end`

/** For each action, how often the member of staff who did it most often did it in the last hour. */
export async function busiestOfStaff(db: Queryable): Promise<{ action: Action; count: number }[]> {
  const { rows } = await sql<{ action: Action; count: number }>`
    select action, max(count)::int as count
    from (
      select ${ACTION} as action, count(*) as count from audit_events
      where event in (${listOf(ACTIONS.flatMap((action) => EVENTS[action]))})
        and at > now() - interval '1 hour' and actor_id is distinct from subject_id
        and actor_id is not null
      group by action, actor_id) as by_person
    group by action`.execute(db)
  return ACTIONS.map((action) => ({
    action,
    count: rows.find((row) => row.action === action)?.count ?? 0,
  }))
}
