/** The server records the use of a session at most this often; a call sooner after the last one does not count. */
const COUNTED_EVERY_MS = 60_000

let lastSeen = 0
const listeners = new Set<() => void>()

/** The latest time, known to this tab, at which the server recorded the session as in use. */
export function lastSessionSeen(): number {
  return lastSeen
}

export function onSessionSeen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Call it when a request of the session has succeeded. */
export function recordSessionCall(sentAt: number): void {
  // Absolute, so that counting goes on after the clock was set back.
  if (Math.abs(sentAt - lastSeen) >= COUNTED_EVERY_MS) setLastSeen(sentAt)
}

export function recordSeenInOtherTab(at: number): void {
  if (at > lastSeen) setLastSeen(at)
}

function setLastSeen(at: number): void {
  lastSeen = at
  for (const listener of listeners) listener()
}
