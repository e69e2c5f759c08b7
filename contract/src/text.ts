import * as z from 'zod/mini'

/**
 * Every string that the server receives follows these rules. Its length is checked first, so that no later
 * check can be made slow. Then it is trimmed and normalised to Unicode's composed form, so that equal texts
 * are stored equally. It must not contain characters that a screen or a database cannot handle.
 */

/** NUL and other control characters, lone surrogates, line separators, and direction overrides. */
const CONTROL = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{202a}-\u{202e}\u{2066}-\u{2069}`
const UNREADABLE = new RegExp(`[${CONTROL}]`, 'u')
/** The same, except tabs and line breaks. */
const UNREADABLE_IN_LINES = new RegExp(`(?![\\t\\n])[${CONTROL}]`, 'u')

/** Composing makes a text at most four times shorter, so a text above four times its limit is always too long. */
const DECOMPOSED_FACTOR = 4

export const UNREADABLE_TEXT = 'This contains a character we cannot read. Please type it again.'
export const tooLongText = (max: number): string => `Use at most ${max} characters`

interface TextRule {
  max: number
  /** One message for every problem, instead of the general ones. */
  invalid?: string
  /** The message for an empty text; without it, an empty text is valid. */
  required?: string
}

const receivedText = (rule: TextRule, unreadable: RegExp, normalised: (text: string) => string) => {
  const tooLong = rule.invalid ?? tooLongText(rule.max)
  const unfit = rule.invalid ?? UNREADABLE_TEXT
  return z.string(rule.required ?? rule.invalid).check(
    z.maxLength(rule.max * DECOMPOSED_FACTOR, { error: tooLong, abort: true }),
    z.overwrite(normalised),
    z.maxLength(rule.max, { error: tooLong, abort: true }),
    z.refine((text) => !unreadable.test(text), { error: unfit, abort: true }),
    ...(rule.required === undefined ? [] : [z.minLength(1, rule.required)]),
  )
}

/** A text of one line. */
export const text = (rule: TextRule) =>
  receivedText(rule, UNREADABLE, (given) => given.trim().normalize())

/** A text that may have line breaks. */
export const textOfLines = (rule: TextRule) =>
  receivedText(rule, UNREADABLE_IN_LINES, (given) =>
    given.replaceAll('\r\n', '\n').trim().normalize(),
  )

/** A password is not normalised; only its length and NUL are checked here. */
export const secret = ({ max, tooLong }: { max: number; tooLong?: string }) =>
  z.string('Please enter a password').check(
    z.maxLength(max, { error: tooLong ?? tooLongText(max), abort: true }),
    z.refine((typed) => !typed.includes('\0'), { error: UNREADABLE_TEXT, abort: true }),
  )

/** An id or a token from a program: it is compared, never shown. */
export const identifier = (max: number, pattern = /^[\w.-]+$/, invalid?: string) =>
  text({ max, invalid: invalid ?? 'Invalid id' }).check(z.regex(pattern, invalid ?? 'Invalid id'))
