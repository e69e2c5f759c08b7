const WINDOW_MS = 60_000
/** Values for `nice` of the operating system: the higher the value, the lower the priority. This process has 0. */
const FIRST_NICE = 5
const MAX_NICE = 10
/** So many refused files in a minute cause no delay, because people do choose a wrong file. */
export const REFUSALS_WITHOUT_DELAY = 3
const DELAY_STEP_MS = 1_000
const MAX_DELAY_MS = 5_000

type Now = () => number
const monotonic: Now = () => performance.now()

/**
 * Returns the value for `nice` of an account's next file check. It rises with each check in a minute, so that
 * an account with many costly files does not delay the files of others.
 */
export function checkPriority(now = monotonic): (userId: string) => number {
  const count = countPerMinute(now)
  return (userId) => Math.min(MAX_NICE, FIRST_NICE + count(userId) - 1)
}

/**
 * Returns by how many milliseconds to delay the response to an account's refused file. It rises with each refused file
 * in a minute: receiving and checking a file costs much, and an account has only a few uploads at a time.
 */
export function refusalDelay(now = monotonic): (userId: string) => number {
  const count = countPerMinute(now)
  return (userId) => {
    const delayed = Math.max(0, count(userId) - REFUSALS_WITHOUT_DELAY)
    return Math.min(MAX_DELAY_MS, delayed * DELAY_STEP_MS)
  }
}

/** Counts a call, and returns how many the account has made in its current minute. */
function countPerMinute(now: Now): (userId: string) => number {
  /** Ordered by the start of their minutes. */
  const current = new Map<string, { since: number; calls: number }>()
  return (userId) => {
    for (const [id, { since }] of current) {
      if (now() - since < WINDOW_MS) break
      current.delete(id)
    }
    const own = current.get(userId) ?? { since: now(), calls: 0 }
    current.set(userId, own)
    own.calls += 1
    return own.calls
  }
}
