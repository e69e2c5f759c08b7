import { describe, expect, it } from 'vitest'
import { email, maskEmail } from './account.ts'

describe('an email', () => {
  it('is trimmed and lower-cased', () => {
    expect(email.parse('  James.Whitfield@Example.COM ')).toBe('james.whitfield@example.com')
  })

  it.each([
    '',
    'james',
    'james@',
    '@example.com',
    'james@example',
    'a b@example.com',
    `${'x'.repeat(250)}@e.org`,
  ])('is refused with a message: %j', (text) => {
    expect(email.safeParse(text).error?.issues[0]?.message).toBe('Enter a valid email address')
  })
})

describe('a masked email', () => {
  it.each([
    ['james.whitfield@example.com', 'jam************@example.com'],
    ['jamesw@example.com', 'jam***@example.com'],
    ['al@example.com', 'al*@example.com'],
    ['abc@example.com', 'abc*@example.com'],
  ])('shows the first 3 characters of the local part, then asterisks: %s', (address, masked) => {
    expect(maskEmail(address)).toBe(masked)
  })
})
