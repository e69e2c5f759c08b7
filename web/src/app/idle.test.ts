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

  it('is active when the last activity is later than the time of the check', () => {
    expect(idleState('USER', 10_000, 9_000)).toEqual({ kind: 'active' })
  })
})

describe('activity', () => {
  it.each([
    ['less than three minutes after a call', false, timeAt(2, 59), timeAt(60)],
    ['three minutes after a call', true, timeAt(3), timeAt(60)],
    ['less than half a minute after a failed report', false, timeAt(5), timeAt(0, 29)],
    ['half a minute after a failed report', true, timeAt(5), timeAt(0, 30)],
  ])('%s is reported: %s', (_, reported, sinceSeen, sinceTried) => {
    const now = timeAt(1000)
    expect(shouldReport(now - sinceSeen, now - sinceTried, now)).toBe(reported)
  })
})
