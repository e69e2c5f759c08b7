import { afterEach, expect, it, vi } from 'vitest'
import { measurePace, TRANSFER_PACE } from './transfer-pace.ts'

vi.useFakeTimers()
afterEach(() => vi.clearAllTimers())

it('knows the rate of a transfer after five seconds, before the first window ends', () => {
  const pace = measurePace(TRANSFER_PACE, () => {})
  pace.add(600)
  vi.advanceTimersByTime(4_900)
  expect(pace.rate()).toBeUndefined()
  vi.advanceTimersByTime(1_100)
  expect(pace.rate()).toBe(100)
})

it('has the rate of the last full window from then on', () => {
  const pace = measurePace({ ...TRANSFER_PACE, bytesPerSecondMin: 0 }, () => {})
  pace.add(30_000)
  vi.advanceTimersByTime(TRANSFER_PACE.windowMs + 6_000)
  expect(pace.rate()).toBe(30_000 / (TRANSFER_PACE.windowMs / 1000))
})
