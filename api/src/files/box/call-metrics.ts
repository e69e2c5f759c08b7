/** However steadily it trickles, no exchange is waited for longer than so many times its idle limit. */
const LONGEST_IN_IDLES = 10

export interface Telemetry {
  signal: AbortSignal
  readonly expired: boolean
  /** Something moved: the idle time begins anew. */
  progress(): void
  /** Nobody waits now, so nothing is late; until the next progress. */
  pause(): void
}

/** Gives up on an exchange that has stopped moving, or that goes on too long. */
export function watch(idleMs: number): Telemetry {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let leftMs = idleMs * LONGEST_IN_IDLES
  let since = 0

  function pause() {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    leftMs -= performance.now() - since
  }
  function progress() {
    pause()
    since = performance.now()
    timer = setTimeout(() => controller.abort(), Math.max(0, Math.min(idleMs, leftMs)))
  }
  progress()
  return {
    signal: controller.signal,
    get expired() {
      return controller.signal.aborted
    },
    progress,
    pause,
  }
}
