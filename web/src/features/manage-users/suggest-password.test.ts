import { unmetPasswordRules } from '@guidon/contract/password'
import { expect, it } from 'vitest'
import { suggestPassword } from './suggest-password.ts'

const maria = { firstName: 'Maria', lastName: 'Alvarez', email: 'maria.alvarez@example.com' }

it('meets every rule, and is different each time', () => {
  const passwords = Array.from({ length: 50 }, () => suggestPassword(maria))
  for (const password of passwords) {
    expect(password).toMatch(/^([A-Z][a-z]\d[a-z]-){3}[A-Z][a-z]\d[a-z]$/)
    expect(unmetPasswordRules(password)).toEqual([])
    expect(password).not.toMatch(/[0OoIil1Ss5B2Z]/)
  }
  expect(new Set(passwords).size).toBe(50)
})

it('contains no part of the email, however short', () => {
  const parts = ['a', 'c', 'e', 'k', 'x'].flatMap((letter) => [`m${letter}3`, `m${letter}4`])
  const short = { ...maria, email: `${parts.join('.')}@example.com` }
  for (let time = 0; time < 200; time += 1) {
    expect(suggestPassword(short).toLowerCase()).not.toMatch(/m[acekx][34]/)
  }
})
