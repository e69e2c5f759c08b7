import { setTimeout as delay } from 'node:timers/promises'
import { FilesUnavailable } from '../port.ts'

const MINUTE_MS = 60_000

export interface Clock {
  now(): number
  wait(ms: number): Promise<unknown>
}

const realClock: Clock = { now: () => performance.now(), wait: (ms) => delay(ms) }

/** Waits for a turn; throws if the wait would be too long. */
export type Pace = () => Promise<void>

/**
 * A token bucket: its capacity plus its refill in a minute is `perMinute`, so no minute has more calls than that.
 * Calls get their turns in order.
 */
export function pace(perMinute: number, longestWaitMs: number, clock: Clock = realClock): Pace {
  const capacity = Math.max(1, Math.floor(perMinute / 5))
  const msPerCall = MINUTE_MS / Math.max(1, perMinute - capacity)
  let available = capacity
  let at = clock.now()
  return async () => {
    const now = clock.now()
    available = Math.min(capacity, available + (now - at) / msPerCall)
    at = now
    const waitMs = Math.ceil(Math.max(0, (1 - available) * msPerCall))
    if (waitMs > longestWaitMs) throw new FilesUnavailable('own_pace', Math.ceil(waitMs / 1000))
    available -= 1
    if (waitMs > 0) await clock.wait(waitMs)
  }
}
