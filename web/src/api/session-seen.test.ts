import { expect, it, vi } from 'vitest'
import {
  lastSessionSeen,
  noteSeenElsewhere,
  noteSessionCall,
  onSessionSeen,
} from './session-seen.ts'

const MINUTE = 60_000

it('counts calls as the server does, at most once a minute', () => {
  const told = vi.fn<() => void>()
  const quiet = onSessionSeen(told)
  noteSessionCall(10 * MINUTE)
  noteSessionCall(11 * MINUTE - 1)
  expect(lastSessionSeen()).toBe(10 * MINUTE)
  noteSessionCall(11 * MINUTE)
  expect(lastSessionSeen()).toBe(11 * MINUTE)
  expect(told).toHaveBeenCalledTimes(2)
  quiet()
})

it('accepts only a later time from another tab', () => {
  noteSeenElsewhere(20 * MINUTE)
  noteSeenElsewhere(15 * MINUTE)
  expect(lastSessionSeen()).toBe(20 * MINUTE)
})

it('keeps counting after the clock was set back', () => {
  noteSeenElsewhere(100 * MINUTE)
  noteSessionCall(40 * MINUTE)
  expect(lastSessionSeen()).toBe(40 * MINUTE)
})
