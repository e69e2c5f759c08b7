import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

/** A further rule for a new password. It is not in `password.ts`, because screens load the large dictionaries on demand. */
export const HARD_TO_GUESS = 'Hard to guess, without your name or email'

const SCORE_MIN = 3
/** The estimate takes quadratic time, and the first part of a password is enough for the score. */
const CHECKED_LENGTH = 32
/** Parts of a name or an email with fewer characters occur in many passwords by chance. */
const NAME_PART_MIN = 3

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

/** What others may know about the user. */
export interface PersonalInfo {
  firstName: string
  lastName: string
  email: string
}

export function isHardToGuess(password: string, person: PersonalInfo): boolean {
  const local = person.email.split('@')[0] ?? ''
  const personalWords = [person.firstName, person.lastName, local]
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= NAME_PART_MIN)
  const lower = password.toLowerCase()
  if (personalWords.some((word) => lower.includes(word))) return false
  return zxcvbn.check(password.slice(0, CHECKED_LENGTH), personalWords).score >= SCORE_MIN
}
