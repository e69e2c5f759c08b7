import { PASSWORD_RULES } from '@guidon/contract/password'
import {
  containsName,
  HARD_TO_GUESS,
  NO_NAME,
  passwordGuessable,
  passwordHasName,
  type PersonalInfo,
} from '@guidon/contract/password-strength'

export interface RuleState {
  sentence: string
  /** `open`: not met yet. `unmet`: not met on submit. `hint`: only the server can tell. */
  state: 'open' | 'met' | 'unmet' | 'hint'
  /** Why the server refused the password. */
  reason?: string
}

interface Input {
  text: string
  /** The name and email that the password must not contain, if the screen knows them. */
  person: PersonalInfo | undefined
  /** The error of the field; its type is the code of the server's refusal. */
  error: { type?: string; message?: string | undefined } | undefined
}

/** Each rule for a new password, and whether the text meets it. An empty text meets none. */
export function passwordProgress({ text, person, error }: Input): RuleState[] {
  const judged = (met: boolean) => (met && text !== '' ? 'met' : error ? 'unmet' : 'open')
  const refusedOr = ({ code, message }: typeof passwordHasName, otherwise: RuleState['state']) =>
    error?.type === code ? { state: 'unmet' as const, reason: message } : { state: otherwise }
  return [
    ...PASSWORD_RULES.map(({ sentence, met }) => ({ sentence, state: judged(met(text)) }) as const),
    {
      sentence: NO_NAME,
      ...refusedOr(passwordHasName, person ? judged(!containsName(text, person)) : 'hint'),
    },
    { sentence: HARD_TO_GUESS, ...refusedOr(passwordGuessable, 'hint') },
  ]
}

/** The announcement for screen readers. */
export function spokenProgress(rules: readonly RuleState[]): string {
  if (!rules.some(({ state }) => state === 'met')) return ''
  const needed = rules.filter(({ state }) => state === 'open' || state === 'unmet')
  if (needed.length === 0) return 'The password meets every requirement so far.'
  return `Still needed: ${needed.map(({ sentence }) => sentence).join('; ')}.`
}
