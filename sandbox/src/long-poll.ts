import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

const MAX_WAIT_MS = 120_000

/** Aborts after the milliseconds of `?wait=` (at once without it), or when the client disconnects. */
export function waitSignal(query: URLSearchParams, response: ServerResponse): AbortSignal {
  const wait = Number(query.get('wait'))
  const controller = new AbortController()
  const milliseconds = wait > 0 ? Math.min(wait, MAX_WAIT_MS) : 0
  if (milliseconds === 0) controller.abort()
  const timer = setTimeout(() => controller.abort(), milliseconds)
  response.once('close', () => {
    clearTimeout(timer)
    controller.abort()
  })
  return controller.signal
}

/** Checks the condition now and after each event. Settles when it holds or `signal` aborts. */
export function waitUntil(
  events: EventEmitter,
  event: string,
  signal: AbortSignal,
  condition: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!condition() && !signal.aborted) return
      events.off(event, check)
      signal.removeEventListener('abort', check)
      resolve()
    }
    events.on(event, check)
    signal.addEventListener('abort', check)
    check()
  })
}
