import { CODE_DIGITS } from '@guidon/contract/limits'

/** One string per box; empty for an empty box. */
export type Digits = readonly string[]

export const NO_DIGITS: Digits = Array.from({ length: CODE_DIGITS }, () => '')

export interface Step {
  digits: Digits
  /** The box to focus next. */
  focus: number
}

/** Spreads typed, pasted or autofilled digits from the box on; a whole code fills every box. */
export function entered(digits: Digits, box: number, text: string): Step {
  const arrived = text.replace(/\D/g, '').slice(0, CODE_DIGITS)
  if (arrived === '') return { digits, focus: box }
  const start = arrived.length === CODE_DIGITS ? 0 : box
  const next = digits.map((digit, at) => arrived[at - start] ?? digit)
  return { digits: next, focus: Math.min(start + arrived.length, CODE_DIGITS - 1) }
}

/** A digit typed into a filled box replaces the old one, wherever the caret was. */
export function typedOver(before: string | undefined, value: string): string {
  if (!before || value.length !== 2) return value
  return value.startsWith(before) ? value.slice(1) : value.slice(0, 1)
}

/** Clears the box, or the previous one if it is empty. */
export function erased(digits: Digits, box: number): Step {
  const target = digits[box] === '' ? Math.max(box - 1, 0) : box
  return { digits: digits.map((digit, at) => (at === target ? '' : digit)), focus: target }
}

/** The box that a key moves to; undefined for other keys. */
export function moved(box: number, key: string): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: Math.max(box - 1, 0),
    ArrowRight: Math.min(box + 1, CODE_DIGITS - 1),
    Home: 0,
    End: CODE_DIGITS - 1,
  }
  return targets[key]
}

export function firstEmpty(digits: Digits): number {
  return Math.max(digits.indexOf(''), 0)
}
