import { wrongRole } from '@guidon/contract/refusal'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database } from '../../db/database.ts'
import type { RefusedAction } from '../../http/refused-action.ts'
import { isUuid } from '../../platform/uuid.ts'

/** Contacts' ids begin so: a name of fifteen letters is not one. */
const CONTACT_ID = /^003[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/

/** The target as the caller named it, and only if it is an id: anything else is typed text. */
function targetOf(id: string | undefined) {
  if (id === undefined) return {}
  if (isUuid(id)) return { subjectId: id }
  return CONTACT_ID.test(id) ? { contact: id } : {}
}

/** Logs every staff action that was refused: who tried it, on whom, and why it was refused. */
export function staffRefusals(db: Database) {
  return async ({ actorId, action, params, refusal }: RefusedAction): Promise<void> => {
    const event = 'staff_action_refused'
    const details = { action, status: refusal.status, code: refusal.code }
    // Any veteran can cause these without end, so they are counted.
    if (refusal.code === wrongRole.code) return recordBlocked(db, { event, actorId, details })
    const { subjectId, contact } = targetOf(params['id'])
    await recordEvent(db, {
      event,
      actorId,
      subjectId,
      details: { ...details, ...(contact && { contact }) },
    })
  }
}
