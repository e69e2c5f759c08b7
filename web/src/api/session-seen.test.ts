import { expect, it, vi } from 'vitest'
import {
  lastSessionSeen,
  recordSeenInOtherTab,
  recordSessionCall,
  onSessionSeen,
} from './session-seen.ts'

const MINUTE = 60_000

it('counts calls as the server does, at most once a minute', () => {
  const listener = vi.fn<() => void>()
  const unsubscribe = onSessionSeen(listener)
  recordSessionCall(10 * MINUTE)
  recordSessionCall(11 * MINUTE - 1)
  expect(lastSessionSeen()).toBe(10 * MINUTE)
  recordSessionCall(11 * MINUTE)
  expect(lastSessionSeen()).toBe(11 * MINUTE)
  expect(listener).toHaveBeenCalledTimes(2)
  unsubscribe()
})

it('accepts only a later time from another tab', () => {
  recordSeenInOtherTab(20 * MINUTE)
  recordSeenInOtherTab(15 * MINUTE)
  expect(lastSessionSeen()).toBe(20 * MINUTE)
})

it('keeps counting after the clock was set back', () => {
  recordSeenInOtherTab(100 * MINUTE)
  recordSessionCall(40 * MINUTE)
  expect(lastSessionSeen()).toBe(40 * MINUTE)
})
