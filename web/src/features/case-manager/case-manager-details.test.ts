import { expect, it } from 'vitest'
import { initials, caseManagerDetails } from './case-manager-details.ts'

const brand = { informationEmail: 'info@guidon.example', phone: '1-800-555-0142' }

it('shows the assigned case manager', () => {
  const dana = { name: 'Dana Okafor', email: 'dana@guidon.example', phone: '6195550177' }
  const shown = { ...dana, phone: '(619) 555-0177', assigned: true }
  expect(caseManagerDetails(dana, brand)).toEqual(shown)
  expect(caseManagerDetails({ ...dana, phone: null }, brand)).toEqual({ ...shown, phone: null })
})

it('shows Awaiting Case Manager with the information email and phone when there is none', () => {
  expect(caseManagerDetails(null, brand)).toEqual({
    assigned: false,
    name: 'Awaiting Case Manager',
    email: 'info@guidon.example',
    phone: '1-800-555-0142',
  })
})

it.each([
  ['Dana Okafor', 'DO'],
  ['dana van der Okafor', 'DO'],
  ['Dana', 'D'],
  [' Émile  Zola ', 'ÉZ'],
  ['', ''],
])('shortens %j to %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
