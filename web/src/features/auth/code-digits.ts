import { CODE_DIGITS } from '@guidon/contract/limits'

/** One string a box; an empty one is a box not yet filled. */
export type Digits = readonly string[]

export const NO_DIGITS: Digits = Array.from({ length: CODE_DIGITS }, () => '')

export interface Step {
  digits: Digits
  /** The box that has the focus next. */
  focus: number
}

/** What arrives in a box, by key, paste or autofill, spreads from there; a whole code fills every box. */
export function entered(digits: Digits, box: number, text: string): Step {
  const arrived = text.replace(/\D/g, '').slice(0, CODE_DIGITS)
  if (arrived === '') return { digits, focus: box }
  const start = arrived.length === CODE_DIGITS ? 0 : box
  const next = digits.map((digit, at) => arrived[at - start] ?? digit)
  return { digits: next, focus: Math.min(start + arrived.length, CODE_DIGITS - 1) }
}

/** A digit typed beside the one that stands in the box replaces it, wherever the caret was. */
export function typedOver(before: string | undefined, value: string): string {
  if (!before || value.length !== 2) return value
  return value.startsWith(before) ? value.slice(1) : value.slice(0, 1)
}

/** Empties the box, or when it is empty the one before it. */
export function erased(digits: Digits, box: number): Step {
  const target = digits[box] === '' ? Math.max(box - 1, 0) : box
  return { digits: digits.map((digit, at) => (at === target ? '' : digit)), focus: target }
}

/** Where a key leads, or undefined when it leads nowhere. */
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
