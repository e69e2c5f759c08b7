import { expect, it } from 'vitest'
import { containsName } from './password-strength.ts'

const james = { firstName: 'James', lastName: 'Whitfield', email: 'jim.1968@example.com' }

it.each(['Whitfield-Lantern-42!', 'xq7#JAMES!Lm2pZ', 'Lantern-1968-Harbor!'])(
  '%s contains a part of the name or the email',
  (password) => {
    expect(containsName(password, james)).toBe(true)
  },
)

it.each(['Copper7!lantern-harbor', 'example.com-Lantern-42!'])(
  '%s contains no part of the name or the email',
  (password) => {
    expect(containsName(password, james)).toBe(false)
  },
)

it('does not count parts of one or two letters', () => {
  const al = { firstName: 'Al', lastName: 'Wu', email: 'a.w@example.com' }
  expect(containsName('Wu-Alabaster-42!', al)).toBe(false)
})
