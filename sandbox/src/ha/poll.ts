import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 100

/** Waits until the check returns true. A failed check counts as false. */
export async function pollUntil(
  what: string,
  check: () => Promise<boolean>,
  timeoutMs = 300_000,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  let failure: unknown
  for (;;) {
    try {
      if (await check()) return
    } catch (error) {
      failure = error
    }
    if (signal.aborted) {
      throw new Error(`not within ${timeoutMs / 1000} s: ${what}`, { cause: failure })
    }
    await delay(POLL_MS)
  }
}
