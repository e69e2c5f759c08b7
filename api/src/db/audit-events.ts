import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { currentOperator } from '../platform/operator.ts'
import { REPEAT_SECONDS } from '../platform/repeat.ts'
import { currentSource } from '../platform/request-source.ts'
import type { Source } from '../platform/request-source.ts'
import { isUuid } from '../platform/uuid.ts'
import type { Queryable } from './database.ts'

export type AuditEvent =
  | 'admin_command_started'
  | 'account_created'
  | 'role_changed'
  | 'account_deactivated'
  | 'account_reactivated'
  | 'account_unlocked'
  | 'account_exported'
  | 'account_erased'
  | 'signed_up'
  | 'sign_up_with_taken_email'
  | 'email_verified'
  | 'account_linked'
  | 'account_unlinked'
  | 'contact_made'
  | 'link_questioned'
  | 'link_confirmed'
  | 'link_refused'
  | 'link_frozen'
  | 'records_moved'
  | 'box_folder_changed'
  | 'sign_in_started'
  | 'sign_in_refused'
  | 'sign_in_blocked'
  | 'code_refused'
  | 'code_sent_again'
  | 'signed_in'
  | 'signed_in_on_new_device'
  | 'signed_in_with_temporary_password'
  | 'signed_out'
  | 'session_revoked_by_replay'
  | 'password_reset_requested'
  | 'password_reset'
  | 'password_changed'
  | 'password_change_refused'
  | 'password_set_by_staff'
  | 'intake_submitted'
  | 'users_listed'
  | 'staff_action_refused'
  | 'documents_viewed'
  | 'document_viewed'
  | 'progress_viewed'
  | 'document_uploaded'
  | 'document_replaced'
  | 'hand_off_created'
  | 'hand_off_opened'
  | 'notices_changed'
  | 'deliveries_viewed'
  | 'consents_accepted'
  | 'consent_withdrawn'

export interface AuditEntry {
  event: AuditEvent
  /** The user who did it; absent if nobody was signed in. */
  actorId?: string | undefined
  /** The account that it is about; absent if there is none. */
  subjectId?: string | undefined
  details?: Record<string, string | number | boolean>
}

/**
 * Inserts the event, its source and its operator as parts of a `with` clause, so that another statement can include them.
 * There is no source outside a request.
 */
export function eventInserts(entry: AuditEntry, source = currentSource()) {
  const { event, actorId, subjectId } = entry
  const operator = currentOperator()
  const details = { ...entry.details, ...(operator && { operator }) }
  return sql`logged_event as (
      insert into audit_events (event, actor_id, subject_id, details)
      values (${event}, ${actorId ?? null}, ${subjectId ?? null}, ${JSON.stringify(details)})
      returning transaction, id, coalesce(actor_id, subject_id) as user_id),
    logged_source as (
      insert into audit_sources (transaction, id, user_id, network, address)
      select transaction, id, user_id, ${source?.network ?? null}::cidr, ${source?.address ?? null}::bytea
      from logged_event where ${source !== undefined}::boolean)`
}

export async function recordEvent(
  db: Queryable,
  entry: AuditEntry,
  source?: Source,
): Promise<void> {
  await sql`with ${eventInserts(entry, source)} select`.execute(db)
}

/** Whether the same was recorded a moment ago. */
export async function isRecent(
  db: Queryable,
  { event, actorId, subjectId }: Required<Omit<AuditEntry, 'details'>>,
): Promise<boolean> {
  const { rows } = await sql`
    select from audit_events
    where subject_id = ${subjectId} and actor_id = ${actorId} and event = ${event}
      and at > now() - make_interval(secs => ${REPEAT_SECONDS}) limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Newest first. A sign-in on a new device logs two events, of which `signed_in` is left out. So twice as many rows are
 * read: a search for the other event of each row would go through every partition again.
 */
export async function eventsOf(
  db: Queryable,
  subjectId: string,
  { events, limit }: { events: readonly AuditEvent[]; limit: number },
) {
  const { rows } = await sql<{
    at: Date
    event: AuditEvent
    actorId: string | null
    details: NonNullable<AuditEntry['details']>
  }>`
    select at, event, actor_id as "actorId", details
    from (
      select *, bool_or(event = 'signed_in_on_new_device') over (partition by transaction) as is_new_device
      from (
        select transaction, at, event, actor_id, details from audit_events
        where subject_id = ${subjectId} and event = any(${events})
        order by at desc limit 2 * ${limit}::int + 1) as newest) as logged
    where not (event = 'signed_in' and is_new_device)
    order by at desc limit ${limit}`.execute(db)
  return rows
}

/** Everything logged about an account, oldest first. A deleted account is found by its id. */
export async function auditOf(db: Queryable, emailOrId: string) {
  return loggedWhere(db, sql`logged.subject_id in (${idsOf(emailOrId)})`)
}

export interface Actor {
  /** An email or an id. */
  account?: string | undefined
  /** The name of an operator of the admin tool. */
  operator: string
}

/** Everything that this account or this operator did, oldest first. */
export async function auditBy(db: Queryable, { account, operator }: Actor) {
  const byOperator = sql`logged.details ->> 'operator' = ${operator}`
  if (account === undefined) return loggedWhere(db, byOperator)
  return loggedWhere(db, sql`(logged.actor_id in (${idsOf(account)}) or ${byOperator})`)
}

/** Includes sign-ups whose email is not verified yet. */
const idsOf = (emailOrId: string) => sql`
  select id from users where email = ${emailOrId}
  union all select id from sign_ups where email = ${emailOrId}
  union all select ${isUuid(emailOrId) ? emailOrId : null}::uuid`

/** `network` and `source` are null once the stored source has expired. Equal sources are the same address. */
async function loggedWhere(db: Queryable, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{
    at: Date
    event: string
    by: string | null
    of: string | null
    details: string
    network: string | null
    source: string | null
  }>`
    select logged.at, logged.event,
      coalesce(actor.email, logged.actor_id::text, 'operator ' || (logged.details ->> 'operator')) as by,
      logged.subject_id::text as of, logged.details::text as details,
      located.network::text as network, left(encode(located.address, 'hex'), 16) as source
    from audit_events as logged
    left join users as actor on actor.id = logged.actor_id
    left join audit_sources as located
      on located.transaction = logged.transaction and located.id = logged.id
    where ${condition} order by logged.at`.execute(db)
  return rows
}

/**
 * The account owner's copy of the log, oldest first. The network is included for events caused by the
 * owner or by a client without a session, never for those caused by staff.
 */
export async function exportLogOf(db: Queryable, userId: string) {
  const { rows } = await sql<{
    at: Date
    event: string
    by: 'themselves' | 'someone else' | 'not known'
    details: object
    network: string | null
  }>`
    select logged.at, logged.event, logged.details - 'operator' as details,
      case when logged.details ? 'operator' then 'someone else'
        when actor_id is null then 'not known' when actor_id = ${userId}::uuid then 'themselves'
        else 'someone else' end as by,
      case when coalesce(actor_id, ${userId}::uuid) = ${userId}::uuid
        then located.network::text end as network
    from audit_events as logged
    left join audit_sources as located
      on located.transaction = logged.transaction and located.id = logged.id
    where subject_id = ${userId}::uuid
    order by logged.at`.execute(db)
  return rows
}
