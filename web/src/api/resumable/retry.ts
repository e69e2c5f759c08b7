import { tooManyUploads } from '@guidon/contract/documents'
import { uploadIncomplete, wrongOffset } from '@guidon/contract/resumable-uploads'
import { CallFailure } from '../call-failure.ts'

/** After the first, the second … failure without progress. */
const PAUSE_SECONDS = [0.25, 1, 2, 4, 8, 15, 30]
const RETRY_AFTER_MAX_SECONDS = 60

const REQUEST_TIMEOUT = 408
/** From a proxy that reaches no server, or from a busy server. Any other status from 500 on may be a defect. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])
/** Without progress in between. */
const DEFECTS_MAX = 8
const OFFSET_CODES: ReadonlySet<string> = new Set([wrongOffset.code, uploadIncomplete.code])
const TEMPORARY_CODES: ReadonlySet<string> = new Set([...OFFSET_CODES, tooManyUploads.code])

/** The server has stored more or fewer bytes than this tab believes. */
export const isAboutOffset = (error: unknown): boolean =>
  error instanceof CallFailure && OFFSET_CODES.has(error.code)

/** Whether the same request may succeed later: no network, or the server cannot take it at the moment. */
export const isTemporary = (error: unknown): error is CallFailure =>
  error instanceof CallFailure &&
  (error.status === 0 ||
    error.status >= 500 ||
    error.status === REQUEST_TIMEOUT ||
    TEMPORARY_CODES.has(error.code))

/** Whether the server has failed so often, without being unavailable, that it will do so again. */
export const isRepeatedDefect = ({ status }: CallFailure, failures: number): boolean =>
  status >= 500 && !UNAVAILABLE.has(status) && failures >= DEFECTS_MAX

/** `failures`: without progress in between. Ends early when the network is back, or the page is shown again. */
export function pauseAfter(
  failures: number,
  { retryAfterSeconds = 0 }: CallFailure,
  signal?: AbortSignal,
): Promise<void> {
  const pause = PAUSE_SECONDS[Math.min(failures, PAUSE_SECONDS.length) - 1] ?? 0
  const seconds = Math.max(pause, Math.min(retryAfterSeconds, RETRY_AFTER_MAX_SECONDS))
  return new Promise((resolve, reject) => {
    const ended = new AbortController()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      ended.abort()
      settle()
    }
    const timer = setTimeout(() => end(resolve), seconds * 1000)
    const options = { signal: ended.signal }
    addEventListener('online', () => end(resolve), options)
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && end(resolve),
      options,
    )
    const stop = () => end(() => reject(signal?.reason as Error))
    signal?.addEventListener('abort', stop, options)
    if (signal?.aborted) stop()
  })
}
