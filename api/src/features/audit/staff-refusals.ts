import { wrongRole } from '@guidon/contract/refusal'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database } from '../../db/database.ts'
import type { RefusedAction } from '../../http/refused-action.ts'
import { isUuid } from '../../platform/uuid.ts'

/** Requires the prefix of contact ids, 003, because a typed name can have fifteen letters too. */
const CONTACT_ID = /^003[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/

/** The target of the action if it is an id. Anything else may be typed text, which is not logged. */
function targetOf(id: string | undefined) {
  if (id === undefined) return {}
  if (isUuid(id)) return { subjectId: id }
  return CONTACT_ID.test(id) ? { contact: id } : {}
}

/** Audits refused staff actions with their actor, target and reason. */
export function staffRefusals(db: Database) {
  return async ({ actorId, action, params, refusal }: RefusedAction): Promise<void> => {
    const event = 'staff_action_refused'
    const details = { action, status: refusal.status, code: refusal.code }
    // The first is an event of its own, later ones are counted: any veteran can cause any number of these.
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
