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

/**
 * What people think of first at this portal. They are removed before the estimate: the rest of a password must be hard
 * to guess.
 */
const CONTEXT_WORDS = [
  'guidon',
  'portal',
  'veteran',
  'claim',
  'disability',
  'benefit',
  'military',
  'semperfi',
  'airforce',
  'army',
  'navy',
  'marine',
  'coastguard',
]
const contextWord = new RegExp(`(?:${CONTEXT_WORDS.join('|')})s?`, 'gi')

/** `knownWords`: what others may know about the user. */
export function isGuessable(password: string, knownWords: string[]): boolean {
  const checked = password.slice(0, CHECKED_LENGTH)
  const variants = new Set([checked, checked.replaceAll(contextWord, '')])
  return [...variants].some((text) => zxcvbn.check(text, knownWords).score < SCORE_MIN)
}
