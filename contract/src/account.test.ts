import { describe, expect, it } from 'vitest'
import { email, maskEmail, newPassword, phone, unmetPasswordRules } from './account.ts'

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
  ])('is refused with its sentence: %j', (text) => {
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

describe('a new password', () => {
  it.each([
    ['Short-1', 'At least 8 characters'],
    ['HarborLantern42', 'At least one symbol'],
    ['Harbor-Lantern', 'At least one digit'],
    ['harbor-lantern-42', 'At least one uppercase letter'],
    ['HARBOR-LANTERN-42', 'At least one lowercase letter'],
    ['Harbor Lantern-42', 'No spaces'],
  ])('%s does not meet: %s', (password, rule) => {
    expect(unmetPasswordRules(password)).toEqual([rule])
    expect(newPassword.safeParse(password).error?.issues[0]?.message).toBe(
      'Password does not meet requirements',
    )
  })

  it('has at most 128 characters', () => {
    const longest = `Aa1-${'x'.repeat(124)}`
    expect(newPassword.safeParse(longest).success).toBe(true)
    expect(newPassword.safeParse(`${longest}x`).success).toBe(false)
  })
})

it.each(['619555013', '61955501345', '619-555-0134', ''])(
  'a phone is exactly 10 digits: %j',
  (text) => {
    expect(phone.safeParse(text).error?.issues[0]?.message).toBe(
      'Enter a valid 10-digit phone number',
    )
  },
)
