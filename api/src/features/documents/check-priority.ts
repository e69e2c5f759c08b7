const WINDOW_MS = 60_000
/** Values for `nice` of the operating system: the higher the value, the lower the priority. This process has 0. */
const FIRST_NICE = 5
const MAX_NICE = 10

/**
 * Returns the value for `nice` of an account's next file check. It rises with each check in a minute, so that
 * an account with many costly files does not delay the files of others.
 */
export function checkPriority(now: () => number = () => performance.now()) {
  /** Ordered by the start of their windows. */
  const recent = new Map<string, { since: number; checks: number }>()

  const deleteExpired = () => {
    for (const [userId, { since }] of recent) {
      if (now() - since < WINDOW_MS) return
      recent.delete(userId)
    }
  }

  return (userId: string): number => {
    deleteExpired()
    const own = recent.get(userId) ?? { since: now(), checks: 0 }
    recent.set(userId, own)
    own.checks += 1
    return Math.min(MAX_NICE, FIRST_NICE + own.checks - 1)
  }
}
