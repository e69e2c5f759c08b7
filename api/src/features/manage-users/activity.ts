import type { AuditEvent } from '../../db/audit-events.ts'
import { eventsOf } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'

const EVENTS_MAX = 50

/** Only these events are shown to the owner of the account. */
const EVENT_TEXTS: Partial<Record<AuditEvent, string>> = {
  account_created: 'Account created by our staff',
  signed_up: 'Account created',
  email_verified: 'Email address confirmed',
  account_linked: 'Account linked to your records',
  account_deactivated: 'Account made inactive by our staff',
  account_reactivated: 'Account made active again by our staff',
  account_unlinked: 'Link to your records removed by our staff',
  link_confirmed: 'Link to your records confirmed by our staff',
  link_frozen: 'Records hidden, because “This was not me” was pressed',
  records_moved: 'Records filed elsewhere by our staff',
  box_folder_changed: 'Folder for your documents changed by our staff',
  role_changed: 'Role changed by our staff',
  sign_in_refused: 'Sign-in refused',
  signed_in: 'Signed in',
  signed_in_on_new_device: 'Signed in on a new device',
  signed_in_with_temporary_password: 'Signed in with a temporary password',
  signed_out: 'Signed out',
  session_revoked_by_replay: 'Signed out for your safety',
  password_reset_requested: 'Password reset link asked for',
  password_reset: 'Password changed',
  password_changed: 'Password changed',
  password_set_by_staff: 'Temporary password set by our staff',
  consents_accepted: 'Agreement given',
  consent_withdrawn: 'Agreement withdrawn',
  intake_submitted: 'Intake sent',
  document_uploaded: 'Document uploaded',
  document_replaced: 'Document replaced',
  hand_off_created: 'Code shown for sending a document from a phone',
  hand_off_opened: 'Phone connected to send a document',
}

const UPLOADED_FROM_PHONE = 'Document uploaded from a phone'

/** For events that both staff and the owner can cause: the text if staff caused it. */
const EVENT_TEXTS_BY_STAFF: Partial<Record<AuditEvent, string>> = {
  account_linked: 'Account linked to your records by our staff',
}

export interface Activity {
  ofAccount(userId: string): Promise<{ at: string; what: string }[]>
}

export function activity(db: Database): Activity {
  return {
    ofAccount: async (userId) => {
      const shown = Object.keys(EVENT_TEXTS) as AuditEvent[]
      const events = await eventsOf(db, userId, { events: shown, limit: EVENTS_MAX })
      return events.map(({ at, event, actorId, details }) => {
        const byStaff = actorId !== null && actorId !== userId
        const text = byStaff ? EVENT_TEXTS_BY_STAFF[event] : details['phone'] && UPLOADED_FROM_PHONE
        return { at: at.toISOString(), what: text || (EVENT_TEXTS[event] ?? '') }
      })
    },
  }
}
