import type { AuditEvent } from '../../db/audit-events.ts'
import { eventsOf } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'

const SHOWN_MOST = 50

/** For the owner of the account; what is not here is not shown. */
const WORDS: Partial<Record<AuditEvent, string>> = {
  account_created: 'Account created by our staff',
  signed_up: 'Account created',
  email_verified: 'Email address confirmed',
  account_linked: 'Account linked to your records',
  account_unlinked: 'Link to your records removed by our staff',
  box_folder_changed: 'Folder for your documents changed by our staff',
  role_changed: 'Role changed by our staff',
  sign_in_refused: 'Sign-in tried with a wrong password',
  signed_in: 'Signed in',
  signed_in_on_new_device: 'Signed in on a new device',
  signed_in_with_temporary_password: 'Signed in with a temporary password',
  signed_out: 'Signed out',
  session_revoked_by_replay: 'Signed out for your safety',
  password_reset_requested: 'Password reset link asked for',
  password_reset: 'Password changed',
  password_changed: 'Password changed',
  password_set_by_staff: 'Temporary password set by our staff',
  intake_submitted: 'Intake sent',
  document_uploaded: 'Document uploaded',
  document_replaced: 'Document replaced',
}

/** Done to the account by someone else, where the event alone does not say so. */
const BY_STAFF: Partial<Record<AuditEvent, string>> = {
  account_linked: 'Account linked to your records by our staff',
}

export interface Activity {
  of(userId: string): Promise<{ at: string; what: string }[]>
}

export function activity(db: Database): Activity {
  return {
    of: async (userId) => {
      const shown = Object.keys(WORDS) as AuditEvent[]
      const events = await eventsOf(db, userId, { events: shown, limit: SHOWN_MOST })
      return events.map(({ at, event, actorId }) => {
        const byStaff = actorId !== null && actorId !== userId
        return {
          at: at.toISOString(),
          what: (byStaff ? BY_STAFF[event] : undefined) ?? WORDS[event] ?? '',
        }
      })
    },
  }
}
