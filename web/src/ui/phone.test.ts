import { expect, it } from 'vitest'
import { phoneHref, phoneText } from './phone.ts'

it.each([
  ['6195550134', '(619) 555-0134'],
  ['+1 619 555 0134', '(619) 555-0134'],
  ['555-0134', '555-0134'],
  ['', ''],
])('shows %j as %j', (given, shown) => {
  expect(phoneText(given)).toBe(shown)
})

it.each([
  ['6195550134', 'tel:+16195550134'],
  ['1-800-555-0142', 'tel:+18005550142'],
  ['(619) 555-0134', 'tel:+16195550134'],
  ['(619) 555-0134 ext. 12', undefined],
  ['555-0134', undefined],
  ['ask at the front office', undefined],
])('dials %j by %j', (given, href) => {
  expect(phoneHref(given)).toBe(href)
})
