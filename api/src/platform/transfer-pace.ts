import {
  UPLOAD_BYTES_A_SECOND_MIN,
  UPLOAD_MINUTES_MAX,
  UPLOAD_RATE_WINDOW_SECONDS,
} from '@guidon/contract/limits'

export interface PaceLimits {
  windowMs: number
  bytesPerSecondMin: number
  totalMs: number
}

/** For uploads and downloads. */
export const TRANSFER_PACE: PaceLimits = {
  windowMs: UPLOAD_RATE_WINDOW_SECONDS * 1000,
  bytesPerSecondMin: UPLOAD_BYTES_A_SECOND_MIN,
  totalMs: UPLOAD_MINUTES_MAX * 60_000,
}

export interface Pace {
  add(bytes: number): void
  /** Bytes per second in the last full window, or so far. Undefined in the first seconds. */
  rate(): number | undefined
  stop(): void
}

/** Until the first window ends, the rate is known after this time, so a client cannot avoid it by reconnecting. */
const FIRST_RATE_MS = 5_000

/** Measures the rate of a transfer. Calls `onSlow` once, when it is too slow or takes too long. */
export function measurePace(limits: PaceLimits, onSlow: () => void): Pace {
  const started = performance.now()
  let inWindow = 0
  let rate: number | undefined
  const windows = setInterval(() => {
    rate = inWindow / (limits.windowMs / 1000)
    inWindow = 0
    if (rate < limits.bytesPerSecondMin) slow()
  }, limits.windowMs)
  const total = setTimeout(() => slow(), limits.totalMs)
  const stop = () => {
    clearInterval(windows)
    clearTimeout(total)
  }
  const slow = () => {
    stop()
    onSlow()
  }
  return {
    add: (bytes) => {
      inWindow += bytes
    },
    rate: () => {
      const elapsed = performance.now() - started
      return rate ?? (elapsed > FIRST_RATE_MS ? inWindow / (elapsed / 1000) : undefined)
    },
    stop,
  }
}
