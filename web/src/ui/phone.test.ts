import { expect, it } from 'vitest'
import { shownPhone } from './phone.ts'

it.each([
  ['6195550134', '(619) 555-0134'],
  ['+1 619 555 0134', '(619) 555-0134'],
  ['555-0134', '555-0134'],
  ['', ''],
])('shows %j as %j', (given, shown) => {
  expect(shownPhone(given)).toBe(shown)
})
