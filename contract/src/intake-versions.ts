import { ANSWER_NAMES, intakeAnswers } from './intake.ts'
import type { IntakeAnswers } from './intake.ts'

/**
 * Drafts outlive releases: they lie in the database and in open tabs. Entry n turns the answers of
 * version n + 1 into those of version n + 2; whoever changes a name or the meaning of an answer adds one.
 */
type Upgrade = (answers: Record<string, unknown>) => Record<string, unknown>
const UPGRADES: readonly Upgrade[] = []

export const INTAKE_VERSION = UPGRADES.length + 1

/** The answers of any version in the words of today. */
export function upgraded(
  version: number,
  answers: Record<string, unknown>,
  upgrades: readonly Upgrade[] = UPGRADES,
): Record<string, unknown> {
  return upgrades.slice(version - 1).reduce((older, upgrade) => upgrade(older), answers)
}

/** Those that are still answers; one that no longer is does not take the others with it. */
export function fittingAnswers(answers: Record<string, unknown>): IntakeAnswers {
  const fitting = ANSWER_NAMES.flatMap((name) => {
    const parsed = intakeAnswers.shape[name].safeParse(answers[name])
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data] as const] : []
  })
  return Object.fromEntries(fitting)
}
