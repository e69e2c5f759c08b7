import { describe, expect, it } from 'vitest'
import { soleMatch } from './match.ts'

const person = {
  userId: '0190a000-0000-7000-8000-000000000001',
  email: 'james@example.com',
  lastName: 'Whitfield',
  phone: '6195550134',
}
const contact: Parameters<typeof soleMatch>[0][number] = {
  id: 'A',
  email: 'james@example.com',
  lastName: 'Whitfield',
  phone: '(619) 555-0134',
  portalUserId: null,
}

describe('an account is linked to the contact with its email', () => {
  it.each([
    ['and the same last name and phone', {}],
    ['and the same last name', { phone: '2025550100' }],
    ['and the same last name in other letters', { lastName: ' whitfield', phone: null }],
    ['and the same phone', { lastName: 'Whitfield-Moore' }],
    ['and the same phone with its country', { lastName: null, phone: '+1 619.555.0134' }],
    ['that is its own already', { portalUserId: person.userId }],
  ])('%s', (_, difference) => {
    expect(soleMatch([{ ...contact, ...difference }], person)?.id).toBe('A')
  })
})

describe('an account is linked to nobody', () => {
  it.each([
    ['without a contact', []],
    ['where only the email fits', [{ ...contact, lastName: 'Moore', phone: '2025550100' }]],
    ['where only name and phone fit', [{ ...contact, email: 'jim@example.com' }]],
    ['where two fit', [contact, { ...contact, id: 'B' }]],
    ['where the contact has neither name nor phone', [{ ...contact, lastName: null, phone: null }]],
    ["where the contact is another account's", [{ ...contact, portalUserId: 'someone' }]],
  ])('%s', (_, contacts) => {
    expect(soleMatch(contacts, person)).toBeUndefined()
  })

  it('and a second contact with that email, of another name and phone, is no obstacle', () => {
    const other = { ...contact, id: 'B', lastName: 'Moore', phone: '2025550100' }
    expect(soleMatch([other, contact], person)?.id).toBe('A')
  })
})
