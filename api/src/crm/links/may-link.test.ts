import { describe, expect, it } from 'vitest'
import { mayLink } from './may-link.ts'

const account = {
  userId: '0190a000-0000-7000-8000-000000000001',
  email: 'james@example.com',
  lastName: 'Whitfield',
  phone: '6195550134',
  isActive: true,
}
const contact: Parameters<typeof mayLink>[1] = {
  id: 'A',
  email: 'james@example.com',
  lastName: 'Whitfield',
  phone: '(619) 555-0134',
  deceased: null,
  holder: null,
  hadOther: false,
  wasEnded: false,
}
const rule = (difference = {}, others = [contact], of = account) =>
  mayLink(of, { ...contact, ...difference }, others)

describe('yes: the only contact with the verified email', () => {
  it.each([
    ['and the same last name and phone', {}],
    ['and the same last name', { phone: '2025550100' }],
    ['and the same last name in different case', { lastName: ' whitfield', phone: null }],
    ['and the same phone', { lastName: 'Whitfield-Moore' }],
    ['and the same phone with a country code', { lastName: null, phone: '+1 619.555.0134' }],
    ['that is already its own', { holder: account.userId }],
  ])('%s', (_, difference) => {
    expect(rule(difference)).toEqual({ answer: 'yes' })
  })
  it('although another contact has the email with another name and phone', () => {
    const spouse = { ...contact, id: 'B', lastName: 'Moore', phone: '2025550100' }
    expect(rule({}, [contact, spouse])).toEqual({ answer: 'yes' })
  })
})

describe('ask staff', () => {
  it.each([
    ['differs', 'only the email matches', { lastName: 'Moore', phone: '2025550100' }],
    ['differs', 'only name and phone match', { email: 'jim@example.com' }],
    ['differs', 'the contact has no email', { email: null }],
    ['differs', 'the contact has neither name nor phone', { lastName: null, phone: null }],
    ['differs', 'both phones are incomplete', { lastName: null, phone: '555' }],
    ['hadOtherAccount', 'another account had the contact', { hadOther: true }],
    ['otherContact', 'staff ended the same link before', { wasEnded: true }],
  ])('%s: %s', (question, _, difference) => {
    expect(rule(difference)).toEqual({ answer: 'ask', question })
  })
  it('severalMatch: two contacts match', () => {
    const others = [contact, { ...contact, id: 'B' }]
    expect(rule({}, others)).toEqual({ answer: 'ask', question: 'severalMatch' })
  })
})

describe('no', () => {
  it.each([
    ['deceased', 'the contact is deceased', { deceased: true }, account],
    ['linkedElsewhere', 'another account has it', { holder: 'someone' }, account],
    ['inactive', 'the account is deactivated', {}, { ...account, isActive: false }],
  ])('%s: %s', (because, _, difference, of) => {
    expect(rule(difference, [contact], of)).toEqual({ answer: 'no', because })
  })
})
