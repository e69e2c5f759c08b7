import { describe, expect, it } from 'vitest'
import { idleState, shouldReport } from './idle.ts'

const timeAt = (minutes: number, seconds = 0) => (minutes * 60 + seconds) * 1000

describe('the idle state', () => {
  it.each([
    ['USER', timeAt(0), { kind: 'active' }],
    ['USER', timeAt(27, 59), { kind: 'active' }],
    ['USER', timeAt(28), { kind: 'warning', secondsLeft: 120 }],
    ['USER', timeAt(29, 59.5), { kind: 'warning', secondsLeft: 1 }],
    ['USER', timeAt(30), { kind: 'expired' }],
    ['USER', timeAt(600), { kind: 'expired' }],
    ['STAFF', timeAt(12, 59), { kind: 'active' }],
    ['STAFF', timeAt(13), { kind: 'warning', secondsLeft: 120 }],
    ['ADMIN', timeAt(15), { kind: 'expired' }],
  ] as const)('of a %s after %i ms is %j', (role, passed, state) => {
    expect(idleState(role, 5_000, 5_000 + passed)).toEqual(state)
  })

  it('is active when the last activity is later than the last tick', () => {
    expect(idleState('USER', 10_000, 9_000)).toEqual({ kind: 'active' })
  })
})

describe('activity', () => {
  it.each([
    ['not right after a call', timeAt(2, 59), timeAt(60), false],
    ['three minutes after the last call', timeAt(3), timeAt(60), true],
    ['not right after a report that failed', timeAt(5), timeAt(0, 29), false],
    ['half a minute after a report that failed', timeAt(5), timeAt(0, 30), true],
  ])('is reported %s', (_, sinceSeen, sinceTried, worth) => {
    const now = timeAt(1000)
    expect(shouldReport(now - sinceSeen, now - sinceTried, now)).toBe(worth)
  })
})
