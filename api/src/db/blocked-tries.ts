import { BLOCKED_KINDS_MAX, BLOCKED_WINDOW_MINUTES } from '@guidon/contract/limits'
import { sql } from 'kysely'
import { currentSource } from '../platform/request-source.ts'
import { recordEvent } from './audit-events.ts'
import type { AuditEntry, AuditEvent } from './audit-events.ts'
import type { Database, Queryable } from './database.ts'

/**
 * Logs a try that a limit blocked, without letting an attacker flood the log. The first try of a kind (event,
 * accounts, details and source) is logged at once; later ones are counted and logged as one event when the
 * window ends. Above a maximum number of kinds, all further tries count as one kind.
 */
export async function recordBlocked(db: Queryable, entry: AuditEntry): Promise<void> {
  const { event, actorId = null, subjectId = null, details = {} } = entry
  const source = currentSource()
  await sql`
    with counting as (
      select count(*) >= ${BLOCKED_KINDS_MAX} as is_full from blocked_tries where event = ${event}),
    counted as (
      insert into blocked_tries as open (event, details, actor_id, subject_id, network, address)
      select ${event}, ${JSON.stringify(details)}::jsonb,
        case when not is_full then ${actorId}::uuid end, case when not is_full then ${subjectId}::uuid end,
        case when not is_full then ${source?.network ?? null}::cidr end,
        case when not is_full then ${source?.address ?? null}::bytea end
      from counting
      on conflict (event, actor_id, subject_id, details, address)
        do update set count = open.count + 1
      returning open.*),
    logged_event as (
      insert into audit_events (event, actor_id, subject_id, details)
      select event, actor_id, subject_id, details from counted where count = 1
      returning transaction, id)
    insert into audit_sources (transaction, id, user_id, network, address)
    select logged_event.transaction, logged_event.id, coalesce(actor_id, subject_id), network, address
    from logged_event, counted where address is not null`.execute(db)
}

interface Counted {
  event: AuditEvent
  actorId: string | null
  subjectId: string | null
  details: Record<string, string | number | boolean>
  network: string | null
  address: Buffer | null
  count: number
}

const BATCH = 500

/** Logs one event for each window that has ended, with the number of tries after the first. */
export async function recordBlockedCounts(db: Database): Promise<void> {
  const batch = () =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<Counted>`
        delete from blocked_tries where id in (
          select id from blocked_tries
          where started_at < now() - make_interval(mins => ${BLOCKED_WINDOW_MINUTES})
          order by started_at limit ${BATCH} for update skip locked)
        returning event, actor_id as "actorId", subject_id as "subjectId", details,
          network::text as network, address, count`.execute(tx)
      for (const { event, actorId, subjectId, details, count, network, address } of rows) {
        if (count === 1) continue
        await recordEvent(
          tx,
          {
            event,
            actorId: actorId ?? undefined,
            subjectId: subjectId ?? undefined,
            details: { ...details, count: count - 1 },
          },
          address ? { network, address } : undefined,
        )
      }
      return rows.length
    })
  while ((await batch()) === BATCH);
}
