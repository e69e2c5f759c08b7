import type { HARD_TO_GUESS as Sentence, KnownOfPerson } from '@guidon/contract/password-strength'

/** Written here so that the list is whole at once; its type holds it to the contract's words. */
export const HARD_TO_GUESS: typeof Sentence = 'Hard to guess, without your name or email'

export const NOBODY: KnownOfPerson = { firstName: '', lastName: '', email: '' }

/** The line may be slow, and the server asks again anyway. */
const PATIENCE_MS = 4000

export type Check = (password: string, person: KnownOfPerson) => boolean

let loaded: Check | undefined
let loading: Promise<Check> | undefined

/** The dictionaries weigh more than the rest of the screen: they come once somebody needs them. */
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

/** Only `false` when it is known: without its dictionaries the browser leaves the verdict to the server. */
export async function mayBeHardToGuess(password: string, person: KnownOfPerson): Promise<boolean> {
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const check = await Promise.race([loadStrength().catch(() => undefined), patience])
  return check?.(password, person) ?? true
}
