import type { Crm, OutgoingIntake } from '../../crm/port.ts'
import type { OutboxEntry } from '../../db/crm-outbox.ts'
import type { Queryable, Tx } from '../../db/database.ts'
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

export function sendIntake(crm: Pick<Crm, 'upsertIntake'>, sealer: Sealer) {
  return async ({ entityId }: OutboxEntry, tx: Tx): Promise<void> => {
    const intake = await intakeForCrm(tx, sealer, entityId)
    if (intake) await crm.upsertIntake(intake)
  }
}
