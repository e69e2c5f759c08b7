import type { Queryable } from './database.ts'

/** Everything that happens to an account. A new word here is a new kind of row in the log. */
export type AuditEvent =
  | 'account_created'
  | 'role_changed'
  | 'signed_up'
  | 'sign_up_with_taken_email'
  | 'email_verified'
  | 'account_linked'
  | 'sign_in_started'
  | 'sign_in_refused'
  | 'sign_in_blocked'
  | 'code_refused'
  | 'code_sent_again'
  | 'signed_in'
  | 'signed_in_on_new_device'
  | 'signed_out'
  | 'session_revoked_by_replay'
  | 'password_reset_requested'
  | 'password_reset'
  | 'password_changed'
  | 'password_change_refused'
  | 'intake_submitted'
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
