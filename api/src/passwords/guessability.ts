import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

const SCORE_MIN = 3
/** The estimate takes quadratic time, and the first part of a password is enough for the score. */
const CHECKED_LENGTH = 32

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

/** `knownWords`: what others may know about the user. */
export function isGuessable(password: string, knownWords: string[]): boolean {
  return zxcvbn.check(password.slice(0, CHECKED_LENGTH), knownWords).score < SCORE_MIN
}
