import { passwordGuessable, passwordHasName } from '@guidon/contract/password-strength'
import { tooBusy } from '@guidon/contract/refusal'
import { expect, it } from 'vitest'
import { strength } from './strength.ts'

const { weakness } = strength()

const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Alvarez' }
const GUESSABLE = 'Password123!'

it.each([
  ['Alvarez-Lantern-42!', passwordHasName],
  [GUESSABLE, passwordGuessable],
  ['Copper7!lantern-harbor', undefined],
  // A password of the form that the portal suggests to staff.
  ['Kx7m-Pq4r-Th9w-Hn3k', undefined],
])('returns the rule that a password breaks, if any: %s', async (password, broken) => {
  expect(await weakness(password, person, 'one')).toBe(broken)
})

it('refuses a client that sends too many requests, and does not delay the others', async () => {
  const outcomes: string[] = []
  const estimateFor = (key: string) =>
    weakness(GUESSABLE, person, key).then(
      () => outcomes.push(key),
      (error: { refusal?: unknown }) =>
        outcomes.push(error.refusal === tooBusy ? 'refused' : 'failed'),
    )
  const many = Array.from({ length: 40 }, () => estimateFor('one'))
  const other = estimateFor('other')
  await Promise.all([...many, other])
  const served = outcomes.filter((outcome) => outcome !== 'refused')
  // Of 40 estimates, one runs and 25 wait.
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(14)
  expect(served.indexOf('other')).toBeLessThanOrEqual(2)
})
