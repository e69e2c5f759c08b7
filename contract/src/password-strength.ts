import type { Refusal } from './refusal.ts'

/** Further rules for a new password. The server decides on them; a screen checks the name if it knows it. */
export const NO_NAME = 'No name or email in it'
export const HARD_TO_GUESS = 'Hard to guess: try three unrelated words'

export const passwordHasName: Refusal = {
  status: 422,
  code: 'password_has_name',
  message: 'This password contains a part of the name or email.',
}
export const passwordGuessable: Refusal = {
  status: 422,
  code: 'password_guessable',
  message: 'This password is too easy to guess.',
}

/** Parts of a name or an email with fewer characters occur in many passwords by chance. */
const NAME_PART_MIN = 3

/** What others may know about the user. */
export interface PersonalInfo {
  firstName: string
  lastName: string
  email: string
}

export function personalWords({ firstName, lastName, email }: PersonalInfo): string[] {
  const local = email.split('@')[0] ?? ''
  return [firstName, lastName, local]
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= NAME_PART_MIN)
}

export function containsName(password: string, person: PersonalInfo): boolean {
  const lower = password.toLowerCase()
  return personalWords(person).some((word) => lower.includes(word))
}
