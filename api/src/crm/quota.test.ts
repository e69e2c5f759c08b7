import { expect, it } from 'vitest'
import { isScarce, spacingMs } from './quota.ts'

it.each([
  ['before anything is known', undefined, 0],
  ['below 80 % of the quota', { used: 79_999, limit: 100_000 }, 0],
  ['at 80 %, so that the rest lasts a day', { used: 80_000, limit: 100_000 }, 4_320],
  ['with a hundredth left', { used: 99_000, limit: 100_000 }, 60_000],
  ['with nothing left', { used: 100_001, limit: 100_000 }, 60_000],
])('spaces background calls %s', (_, usage, ms) => {
  expect(spacingMs(usage)).toBe(ms)
  expect(isScarce(usage)).toBe(ms > 0)
})
