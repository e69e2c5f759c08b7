import { expect, it } from 'vitest'
import { phoneInSearch } from './manage-users.ts'

it.each([
  ['5551234567', '5551234567'],
  ['(555) 123-4567', '5551234567'],
  ['555.123.4567', '5551234567'],
  ['555\u2011123\u20114567', '5551234567'],
  ['+1 (555) 123-4567', '5551234567'],
  ['1-555-123-4567', '5551234567'],
  ['(555) 12', '55512'],
  ['4567', '4567'],
  ['1234', '1234'],
])('%s is searched as the phone digits %s', (q, digits) => {
  expect(phoneInSearch(q)).toBe(digits)
})

it.each(['', '12', '(--)', '281190442718', 'maria', 'q.zimmer77@example.com', '0035e00001XyAb1'])(
  '%s is not searched as a phone number',
  (q) => {
    expect(phoneInSearch(q)).toBeUndefined()
  },
)
