import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Queryable } from './database.ts'

/** Everything that happens to an account. A new word here is a new kind of row in the log. */
export type AuditEvent =
  | 'account_created'
  | 'role_changed'
  | 'account_deactivated'
  | 'account_unlocked'
  | 'unverified_account_removed'
  | 'account_exported'
  | 'account_erased'
  | 'signed_up'
  | 'sign_up_with_taken_email'
  | 'email_verified'
  | 'account_linked'
  | 'account_unlinked'
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
  | 'documents_viewed'
  | 'document_uploaded'
  | 'document_replaced'

export interface AuditEntry {
  event: AuditEvent
  /** Who did it; absent for someone who has not proved to be anyone. */
  actorId?: string | undefined
  /** Whose account it is about; absent where there is none. */
  subjectId?: string | undefined
  details?: Record<string, string | number | boolean>
}

export async function recordEvent(db: Queryable, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
      event: entry.event,
      actor_id: entry.actorId ?? null,
      subject_id: entry.subjectId ?? null,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute()
}

/** What happened to an account, newest first. A sign-in on a new device is told once, as that. */
export async function eventsOf(
  db: Queryable,
  subjectId: string,
  { shown, most }: { shown: readonly AuditEvent[]; most: number },
) {
  const { rows } = await sql<{ at: Date; event: AuditEvent; actorId: string | null }>`
    select at, event, actor_id as "actorId" from audit_events as told
    where subject_id = ${subjectId} and event = any(${shown})
      and not (event = 'signed_in' and exists (
        select from audit_events as more
        where more.transaction = told.transaction and more.subject_id = told.subject_id
          and more.event = 'signed_in_on_new_device'))
    order by at desc limit ${most}`.execute(db)
  return rows
}

/** Everything that is logged of an account, oldest first, for the operator. One that is gone is found by its id. */
export async function auditOf(db: Queryable, emailOrId: string) {
  const { rows } = await sql<{ at: Date; event: string; by: string | null; details: string }>`
    select logged.at, logged.event, coalesce(actor.email, logged.actor_id::text) as by,
      logged.details::text as details
    from audit_events as logged
    left join users as actor on actor.id = logged.actor_id
    where logged.subject_id =
      coalesce((select id from users where email = ${emailOrId}), ${asUuid(emailOrId)}::uuid)
    order by logged.at`.execute(db)
  return rows
}

const asUuid = (text: string) => (z.uuid().safeParse(text).success ? text : null)

/** All that the log says of an account, and what it did itself, oldest first. */
export async function wholeLogOf(db: Queryable, userId: string) {
  const { rows } = await sql<{
    at: Date
    event: string
    by: 'themselves' | 'someone else' | 'not known'
    details: object
  }>`
    select at, event, details,
      case when actor_id is null then 'not known' when actor_id = ${userId}::uuid then 'themselves'
        else 'someone else' end as by
    from audit_events where subject_id = ${userId}::uuid
    order by at`.execute(db)
  return rows
}
