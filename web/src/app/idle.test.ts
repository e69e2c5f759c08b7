import { describe, expect, it } from 'vitest'
import { idleState, shouldReport } from './idle.ts'

const at = (minutes: number, seconds = 0) => (minutes * 60 + seconds) * 1000

describe('the idle state', () => {
  it.each([
    ['USER', at(0), { kind: 'active' }],
    ['USER', at(27, 59), { kind: 'active' }],
    ['USER', at(28), { kind: 'warning', secondsLeft: 120 }],
    ['USER', at(29, 59.5), { kind: 'warning', secondsLeft: 1 }],
    ['USER', at(30), { kind: 'expired' }],
    ['USER', at(600), { kind: 'expired' }],
    ['STAFF', at(12, 59), { kind: 'active' }],
    ['STAFF', at(13), { kind: 'warning', secondsLeft: 120 }],
    ['ADMIN', at(15), { kind: 'expired' }],
  ] as const)('of a %s after %i ms is %j', (role, passed, state) => {
    expect(idleState(role, 5_000, 5_000 + passed)).toEqual(state)
  })

  it('is active when the last activity is later than the last tick', () => {
    expect(idleState('USER', 10_000, 9_000)).toEqual({ kind: 'active' })
  })
})

describe('activity', () => {
  it.each([
    ['not right after a call', at(2, 59), at(60), false],
    ['three minutes after the last call', at(3), at(60), true],
    ['not right after a report that failed', at(5), at(0, 29), false],
    ['half a minute after a report that failed', at(5), at(0, 30), true],
  ])('is reported %s', (_, sinceSeen, sinceTried, worth) => {
    const now = at(1000)
    expect(shouldReport(now - sinceSeen, now - sinceTried, now)).toBe(worth)
  })
})
