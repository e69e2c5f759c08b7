import { expect, it } from 'vitest'
import { checkPriority, refusalDelay } from './account-load.ts'

it('lowers the priority with each check of the same account only', () => {
  const priority = checkPriority()
  expect(Array.from({ length: 20 }, () => priority('one')).slice(0, 3)).toEqual([5, 6, 7])
  expect(priority('one')).toBe(10)
  expect(priority('other')).toBe(5)
})

it('resets the priority after a minute', () => {
  let now = 0
  const priority = checkPriority(() => now)
  for (let n = 0; n < 10; n += 1) priority('one')
  now = 60_000
  expect(priority('one')).toBe(5)
})

it('delays the response from the fourth refused file of the same account in a minute', () => {
  let now = 0
  const delay = refusalDelay(() => now)
  const tenDelays = Array.from({ length: 10 }, () => delay('one'))
  expect(tenDelays).toEqual([0, 0, 0, 1_000, 2_000, 3_000, 4_000, 5_000, 5_000, 5_000])
  expect(delay('other')).toBe(0)
  now = 60_000
  expect(delay('one')).toBe(0)
})
