import { PHONE_DIGITS } from '@guidon/contract/limits'

/**
 * The digits of the phone field. `before` is its previous value: a number that is pasted or autofilled
 * loses its country code; a typed one keeps every digit.
 */
export function phoneDigits(text: string, before: string): string {
  const digits = text.replace(/\D/g, '')
  const arrivedWhole = digits.length - before.length > 1
  const withCountry = digits.length === PHONE_DIGITS + 1 && digits.startsWith('1')
  return arrivedWhole && withCountry ? digits.slice(1) : digits
}

/** The caret's position after everything but digits is removed. */
export function caretInDigits(text: string, caret: number): number {
  return text.slice(0, caret).replace(/\D/g, '').length
}
