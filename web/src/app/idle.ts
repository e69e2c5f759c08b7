import type { Role } from '@guidon/contract/account'
import { IDLE_MINUTES, IDLE_WARNING_SECONDS } from '@guidon/contract/limits'

/** Shortest time between the last use of the session that the server recorded and an activity report. */
const REPORT_EVERY_MS = 3 * 60_000
/** Shortest time between a failed report and the next one. */
const TRY_AGAIN_MS = 30_000

export type IdleState =
  | { kind: 'active' }
  | { kind: 'warning'; secondsLeft: number }
  | { kind: 'expired' }

/** Uses the wall clock, so that time asleep counts as idle. */
export function idleState(role: Role, lastSeen: number, now: number): IdleState {
  const left = lastSeen + IDLE_MINUTES[role] * 60_000 - now
  if (left <= 0) return { kind: 'expired' }
  if (left > IDLE_WARNING_SECONDS * 1000) return { kind: 'active' }
  return { kind: 'warning', secondsLeft: Math.ceil(left / 1000) }
}

export function shouldReport(lastSeen: number, lastTried: number, now: number): boolean {
  return now - lastSeen >= REPORT_EVERY_MS && now - lastTried >= TRY_AGAIN_MS
}
