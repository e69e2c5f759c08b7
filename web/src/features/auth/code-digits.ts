import { CODE_DIGITS } from '@guidon/contract/limits'

/** One string per box; empty for an empty box. */
export type Digits = readonly string[]

export const NO_DIGITS: Digits = Array.from({ length: CODE_DIGITS }, () => '')

export interface DigitsChange {
  digits: Digits
  /** The box to focus next. */
  focus: number
}

/** Puts typed, pasted or autofilled digits into the box and those after it; a whole code fills every box. */
export function enterDigits(digits: Digits, box: number, text: string): DigitsChange {
  const newDigits = text.replace(/\D/g, '').slice(0, CODE_DIGITS)
  if (newDigits === '') return { digits, focus: box }
  const start = newDigits.length === CODE_DIGITS ? 0 : box
  const next = digits.map((digit, at) => newDigits[at - start] ?? digit)
  return { digits: next, focus: Math.min(start + newDigits.length, CODE_DIGITS - 1) }
}

/** Returns the new digit of a filled box, for a caret before or after the old digit. */
export function replacingDigit(oldDigit: string | undefined, value: string): string {
  if (!oldDigit || value.length !== 2) return value
  return value.startsWith(oldDigit) ? value.slice(1) : value.slice(0, 1)
}

/** Clears the box, or the previous one if it is empty. */
export function eraseDigit(digits: Digits, box: number): DigitsChange {
  const target = digits[box] === '' ? Math.max(box - 1, 0) : box
  return { digits: digits.map((digit, at) => (at === target ? '' : digit)), focus: target }
}

/** The box that a key moves to; undefined for other keys. */
export function boxAfterKey(box: number, key: string): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: Math.max(box - 1, 0),
    ArrowRight: Math.min(box + 1, CODE_DIGITS - 1),
    Home: 0,
    End: CODE_DIGITS - 1,
  }
  return targets[key]
}

export function firstEmptyBox(digits: Digits): number {
  return Math.max(digits.indexOf(''), 0)
}
