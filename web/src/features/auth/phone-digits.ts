import { PHONE_DIGITS } from '@guidon/contract/limits'

/**
 * What is left of a text in the phone field. `before` is what stood there: a number that arrives whole,
 * by paste or autofill, loses its country code; one that is typed keeps every digit of the person.
 */
export function phoneDigits(text: string, before: string): string {
  const digits = text.replace(/\D/g, '')
  const arrivedWhole = digits.length - before.length > 1
  const withCountry = digits.length === PHONE_DIGITS + 1 && digits.startsWith('1')
  return arrivedWhole && withCountry ? digits.slice(1) : digits
}

/** Where the caret stands once everything but digits is gone. */
export function caretAmongDigits(text: string, caret: number): number {
  return text.slice(0, caret).replace(/\D/g, '').length
}
