import { describe, expect, it } from 'vitest'
import { soleMatch } from './match.ts'

const account = {
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
    ['and the same last name in different case', { lastName: ' whitfield', phone: null }],
    ['and the same phone', { lastName: 'Whitfield-Moore' }],
    ['and the same phone with a country code', { lastName: null, phone: '+1 619.555.0134' }],
    ['that is already its own', { portalUserId: account.userId }],
  ])('%s', (_, difference) => {
    expect(soleMatch([{ ...contact, ...difference }], account)?.id).toBe('A')
  })
})

describe('an account is not linked', () => {
  it.each([
    ['without a contact', []],
    ['if only the email matches', [{ ...contact, lastName: 'Moore', phone: '2025550100' }]],
    ['if only name and phone match', [{ ...contact, email: 'jim@example.com' }]],
    ['if two contacts match', [contact, { ...contact, id: 'B' }]],
    ['if the contact has neither name nor phone', [{ ...contact, lastName: null, phone: null }]],
    ['if the contact belongs to another account', [{ ...contact, portalUserId: 'someone' }]],
  ])('%s', (_, contacts) => {
    expect(soleMatch(contacts, account)).toBeUndefined()
  })
})

it('a second contact with the same email but another name and phone does not prevent the link', () => {
  const other = { ...contact, id: 'B', lastName: 'Moore', phone: '2025550100' }
  expect(soleMatch([other, contact], account)?.id).toBe('A')
})
