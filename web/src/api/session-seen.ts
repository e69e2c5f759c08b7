/** The server writes at most once in this time that a session is in use, so a call sooner than that does not count. */
const COUNTED_EVERY_MS = 60_000

let lastSeen = 0
const listeners = new Set<() => void>()

/** When, as far as this tab knows, the server last counted the session as in use. */
export function lastSessionSeen(): number {
  return lastSeen
}

export function onSessionSeen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A call of the session that was sent at that time has succeeded. */
export function noteSessionCall(sentAt: number): void {
  // Either way: a clock that was set back must not stop the counting.
  if (Math.abs(sentAt - lastSeen) >= COUNTED_EVERY_MS) learn(sentAt)
}

/** Another tab of the same session knows of a later time. */
export function noteSeenElsewhere(at: number): void {
  if (at > lastSeen) learn(at)
}

function learn(at: number): void {
  lastSeen = at
  for (const listener of listeners) listener()
}
