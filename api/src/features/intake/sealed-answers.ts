import type { EditTimes, IntakeAnswers } from '@guidon/contract/intake'
import { INTAKE_VERSION, upgradeAnswers, validAnswers } from '@guidon/contract/intake-versions'
import type { Sealed, Sealer } from '../../platform/crypto/sealer.ts'
import type { IntakeRow } from './intakes.sql.ts'
import { editsOfTimes, timesOfEdits } from './merge-save.ts'
import type { StoredEdits } from './merge-save.ts'

export interface AnswersWithEdits {
  answers: IntakeAnswers
  edits: StoredEdits
}

/** Binds the content to its account: it cannot be decrypted in the row of another. */
export const contextOf = (userId: string) => `intake of ${userId}`

export function sealAnswers(
  sealer: Sealer,
  userId: string,
  { answers, edits }: AnswersWithEdits,
): Sealed & { version: number } {
  // The previous release reads `editedAt` only, and drops the edits when it saves.
  const editedAt = timesOfEdits(edits, Date.now())
  const content = Buffer.from(JSON.stringify({ answers, edits, editedAt }))
  return { ...sealer.seal(content, contextOf(userId)), version: INTAKE_VERSION }
}

export function openAnswers(sealer: Sealer, row: IntakeRow): AnswersWithEdits {
  const opened = sealer.open({ keyId: row.keyId, bytes: row.sealed }, contextOf(row.userId))
  const { answers, edits, editedAt } = JSON.parse(opened.toString()) as {
    answers: Record<string, unknown>
    edits?: StoredEdits
    editedAt: EditTimes
  }
  return {
    answers: validAnswers(upgradeAnswers(row.version, answers)),
    edits: edits ?? editsOfTimes(editedAt),
  }
}
