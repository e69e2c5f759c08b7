import { PASSWORD_RULES } from '@guidon/contract/password'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { HARD_TO_GUESS, type StrengthCheck } from './strength.ts'

export interface RuleState {
  sentence: string
  met: boolean
}

/** Each rule for a new password, and whether the text meets it. An empty text meets none. */
export function passwordProgress(
  text: string,
  person: PersonalInfo,
  check: StrengthCheck | undefined,
): RuleState[] {
  const isTyped = text !== ''
  return [
    ...PASSWORD_RULES.map(({ sentence, met }) => ({ sentence, met: isTyped && met(text) })),
    { sentence: HARD_TO_GUESS, met: isTyped && (check?.(text, person) ?? false) },
  ]
}

/** The announcement for screen readers. */
export function spokenProgress(rules: readonly RuleState[]): string {
  const unmet = rules.filter(({ met }) => !met).map(({ sentence }) => sentence)
  if (unmet.length === rules.length) return ''
  if (unmet.length === 0) return 'The password meets every requirement.'
  return `Still needed: ${unmet.join('; ')}.`
}
