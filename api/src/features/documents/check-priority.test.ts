import { expect, it } from 'vitest'
import { checkPriority } from './check-priority.ts'

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
