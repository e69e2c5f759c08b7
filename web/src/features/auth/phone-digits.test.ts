import { expect, it } from 'vitest'
import { caretInDigits, phoneDigits } from './phone-digits.ts'

it.each([
  ['(619) 555-0134', '', '6195550134'],
  ['+1 (619) 555-0134', '', '6195550134'],
  ['1-619-555-0134', '', '6195550134'],
  ['16195550134', '1619555013', '16195550134'],
  ['26195550134', '', '26195550134'],
  ['161955501', '', '161955501'],
  ['619a', '619', '619'],
])('turns %j, when the field had %j before, into %j', (text, before, digits) => {
  expect(phoneDigits(text, before)).toBe(digits)
})

it('keeps the caret after the same digit', () => {
  expect(caretInDigits('619x5', 4)).toBe(3)
  expect(caretInDigits('(619) 555', 6)).toBe(3)
})
