import { describe, expect, it } from 'vitest'
import { newPassword, unmetPasswordRules } from './password.ts'

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
