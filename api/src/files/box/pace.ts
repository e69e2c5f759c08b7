import { setTimeout as delay } from 'node:timers/promises'
import { FilesUnavailable } from '../port.ts'

const MINUTE_MS = 60_000

export interface Clock {
  now(): number
  wait(ms: number): Promise<unknown>
}

const realClock: Clock = { now: () => performance.now(), wait: (ms) => delay(ms) }

/** Waits for its turn; throws where the turn is further away than a job should sit and wait. */
export type Pace = () => Promise<void>

/**
 * A token bucket that never lets more than `perMinute` through in any minute: what it holds at most
 * and what flows into it in a minute are together the limit. Turns come in the order of asking.
 */
export function pace(perMinute: number, longestWaitMs: number, clock: Clock = realClock): Pace {
  const most = Math.max(1, Math.floor(perMinute / 5))
  const msForOne = MINUTE_MS / Math.max(1, perMinute - most)
  let held = most
  let at = clock.now()
  return async () => {
    const now = clock.now()
    held = Math.min(most, held + (now - at) / msForOne)
    at = now
    const waitMs = Math.ceil(Math.max(0, (1 - held) * msForOne))
    if (waitMs > longestWaitMs) throw new FilesUnavailable('own_pace', Math.ceil(waitMs / 1000))
    held -= 1
    if (waitMs > 0) await clock.wait(waitMs)
  }
}
