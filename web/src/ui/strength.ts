import type { HARD_TO_GUESS as Sentence, PersonalInfo } from '@guidon/contract/password-strength'

/** Repeated here so that the list is complete before the dictionaries load; the type keeps it equal to the contract's. */
export const HARD_TO_GUESS: typeof Sentence = 'Hard to guess, without your name or email'

export const UNKNOWN_PERSON: PersonalInfo = { firstName: '', lastName: '', email: '' }

/** The connection may be slow, and the server checks again anyway. */
const LOAD_TIMEOUT_MS = 4000

export type Check = (password: string, person: PersonalInfo) => boolean

let loaded: Check | undefined
let loading: Promise<Check> | undefined

/** The dictionaries are larger than the rest of the app, so they load when needed. */
export function loadStrength(): Promise<Check> {
  loading ??= import('@guidon/contract/password-strength').then(
    ({ isHardToGuess }) => (loaded = isHardToGuess),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

export function strengthCheck(): Check | undefined {
  return loaded
}

/** True if the dictionaries could not be loaded: then only the server decides. */
export async function mayBeHardToGuess(password: string, person: PersonalInfo): Promise<boolean> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, LOAD_TIMEOUT_MS))
  const check = await Promise.race([loadStrength().catch(() => undefined), timeout])
  return check?.(password, person) ?? true
}
