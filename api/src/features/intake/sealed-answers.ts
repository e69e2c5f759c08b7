import type { EditTimes, IntakeAnswers } from '@guidon/contract/intake'
import { fittingAnswers, INTAKE_VERSION, upgraded } from '@guidon/contract/intake-versions'
import type { Sealed, Sealer } from '../../crypto/sealer.ts'
import type { IntakeRow } from '../../db/intakes.ts'

/** What lies sealed in a row. */
export interface SealedAnswers {
  answers: IntakeAnswers
  editedAt: EditTimes
}

export const about = (userId: string) => `intake of ${userId}`

export function sealAnswers(
  sealer: Sealer,
  userId: string,
  { answers, editedAt }: SealedAnswers,
): Sealed & { version: number } {
  const content = Buffer.from(JSON.stringify({ answers, editedAt }))
  return { ...sealer.seal(content, about(userId)), version: INTAKE_VERSION }
}

export function openAnswers(sealer: Sealer, row: IntakeRow): SealedAnswers {
  const opened = sealer.open({ keyId: row.keyId, bytes: row.sealed }, about(row.userId))
  const { answers, editedAt } = JSON.parse(opened.toString()) as {
    answers: Record<string, unknown>
    editedAt: EditTimes
  }
  return { answers: fittingAnswers(upgraded(row.version, answers)), editedAt }
}
