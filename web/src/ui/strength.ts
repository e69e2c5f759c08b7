import type { HARD_TO_GUESS as Sentence, PersonalInfo } from '@guidon/contract/password-strength'

/** Repeated here so that the list is complete before the dictionaries load; the type keeps it equal to the contract's. */
export const HARD_TO_GUESS: typeof Sentence = 'Hard to guess, without your name or email'

export const UNKNOWN_PERSON: PersonalInfo = { firstName: '', lastName: '', email: '' }

/** How long a form waits for the dictionaries; the server checks again in any case. */
const LOAD_TIMEOUT_MS = 4000

export type StrengthCheck = (password: string, person: PersonalInfo) => boolean

let loaded: StrengthCheck | undefined
let loading: Promise<StrengthCheck> | undefined

/** The dictionaries are larger than the rest of the app, so they load when needed. */
export function loadStrength(): Promise<StrengthCheck> {
  loading ??= import('@guidon/contract/password-strength').then(
    ({ isHardToGuess }) => (loaded = isHardToGuess),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

export function strengthCheck(): StrengthCheck | undefined {
  return loaded
}

/** Returns true if the dictionaries could not be loaded, because the server checks again. */
export async function mayBeHardToGuess(password: string, person: PersonalInfo): Promise<boolean> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, LOAD_TIMEOUT_MS))
  const check = await Promise.race([loadStrength().catch(() => undefined), timeout])
  return check?.(password, person) ?? true
}
