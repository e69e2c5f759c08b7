/** A slow but steady exchange ends after this multiple of the idle time. */
const TOTAL_FACTOR = 10

export interface IdleTimeout {
  signal: AbortSignal
  readonly expired: boolean
  /** Restarts the idle time. */
  progress(): void
  /** Stops the timer until the next progress. */
  pause(): void
}

/** Aborts an exchange that makes no progress or takes too long in total. */
export function idleTimeout(idleMs: number): IdleTimeout {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let leftMs = idleMs * TOTAL_FACTOR
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
