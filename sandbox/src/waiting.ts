import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

const LONGEST_WAIT_MS = 120_000

/** Ends when the asker has waited as long as `?wait=` says, or has left. */
export function waitOf(query: URLSearchParams, response: ServerResponse): AbortSignal {
  const wait = Number(query.get('wait'))
  const left = new AbortController()
  const milliseconds = wait > 0 ? Math.min(wait, LONGEST_WAIT_MS) : 0
  if (milliseconds === 0) left.abort()
  const timer = setTimeout(() => left.abort(), milliseconds)
  response.once('close', () => {
    clearTimeout(timer)
    left.abort()
  })
  return left.signal
}

/** Looks at each event, until it is so or `signal` says to wait no longer. */
export function untilSo(
  events: EventEmitter,
  event: string,
  signal: AbortSignal,
  isSo: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo() && !signal.aborted) return
      events.off(event, look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    events.on(event, look)
    signal.addEventListener('abort', look)
    look()
  })
}
