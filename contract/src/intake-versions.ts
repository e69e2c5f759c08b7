import { ANSWER_NAMES, intakeAnswers } from './intake.ts'
import type { IntakeAnswers } from './intake.ts'

/**
 * Drafts in the database and in open tabs outlive releases. The first upgrade converts version 1 to
 * version 2, and so on. Add one when the name or the meaning of an answer changes.
 */
type Upgrade = (answers: Record<string, unknown>) => Record<string, unknown>
const UPGRADES: readonly Upgrade[] = []

export const INTAKE_VERSION = UPGRADES.length + 1

/** Converts answers of any version to the current one. */
export function upgradeAnswers(
  version: number,
  answers: Record<string, unknown>,
  upgrades: readonly Upgrade[] = UPGRADES,
): Record<string, unknown> {
  return upgrades.slice(version - 1).reduce((older, upgrade) => upgrade(older), answers)
}

/** Drops answers that are no longer valid, and keeps the others. */
export function validAnswers(answers: Record<string, unknown>): IntakeAnswers {
  const valid = ANSWER_NAMES.flatMap((name) => {
    const parsed = intakeAnswers.shape[name].safeParse(answers[name])
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data] as const] : []
  })
  return Object.fromEntries(valid)
}
