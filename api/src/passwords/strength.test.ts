import { tooBusy } from '@guidon/contract/refusal'
import { afterAll, expect, it } from 'vitest'
import { strength } from './strength.ts'

const { isHardToGuess, close } = strength()
afterAll(close)

const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Alvarez' }
const GUESSABLE = 'Password123!'.repeat(10)

it('who asks without end is refused, and keeps nobody else waiting', async () => {
  const answered: string[] = []
  const ask = (key: string) =>
    isHardToGuess(GUESSABLE, person, key).then(
      () => answered.push(key),
      (error: { refusal?: unknown }) =>
        answered.push(error.refusal === tooBusy ? 'refused' : 'failed'),
    )
  const many = Array.from({ length: 40 }, () => ask('one'))
  const other = ask('other')
  await Promise.all([...many, other])
  const served = answered.filter((who) => who !== 'refused')
  expect(answered.filter((who) => who === 'refused')).toHaveLength(14)
  expect(served.indexOf('other')).toBeLessThanOrEqual(2)
})
