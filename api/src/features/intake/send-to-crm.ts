import { step } from '../../crm/outbox/outbox.ts'
import type { Sender } from '../../crm/outbox/outbox.ts'
import type { OutgoingIntake } from '../../crm/port.ts'
import type { Queryable } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { findIntake } from './intakes.sql.ts'
import { openAnswers } from './sealed-answers.ts'

async function intakeForCrm(
  db: Queryable,
  sealer: Sealer,
  intakeId: string,
): Promise<OutgoingIntake | undefined> {
  const row = await findIntake(db, intakeId)
  if (!row?.submittedAt) return undefined
  const { answers } = openAnswers(sealer, row)
  return { intakeId, userId: row.userId, answers, submittedAt: row.submittedAt }
}

export function sendIntake(sealer: Sealer): Sender {
  return async ({ entityId }, db) => {
    const intake = await intakeForCrm(db, sealer, entityId)
    return intake ? step({ kind: 'upsertIntake', intake }, async () => 'sent') : 'sent'
  }
}
