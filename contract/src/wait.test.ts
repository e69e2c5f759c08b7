import { expect, it } from 'vitest'
import { waitInWords } from './wait.ts'

it.each([
  [0, 'in 1 minute'],
  [1, 'in 1 minute'],
  [60, 'in 1 minute'],
  [61, 'in 2 minutes'],
  [900, 'in 15 minutes'],
  [59 * 60, 'in 59 minutes'],
  [59 * 60 + 1, 'in about 1 hour'],
  [3_600, 'in about 1 hour'],
  [3_601, 'in about 2 hours'],
  [86_400, 'in about 24 hours'],
])('%i seconds are written as "%s"', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
