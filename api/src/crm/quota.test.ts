import { expect, it } from 'vitest'
import { isScarce, spacingMs } from './quota.ts'

it.each([
  ['before the usage is known', 0, undefined],
  ['below 80 % of the quota', 0, { used: 79_999, limit: 100_000 }],
  ['at 80 %, so that the rest lasts a day', 4_320, { used: 80_000, limit: 100_000 }],
  ['with a hundredth left', 60_000, { used: 99_000, limit: 100_000 }],
  ['with nothing left', 60_000, { used: 100_001, limit: 100_000 }],
])('%s, background calls are %i ms apart', (_, ms, usage) => {
  expect(spacingMs(usage)).toBe(ms)
  expect(isScarce(usage)).toBe(ms > 0)
})
