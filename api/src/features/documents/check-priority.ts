const WINDOW_MS = 60_000
/** `nice` values of the operating system: a higher value is a lower priority, and 0 is that of this process. */
const FIRST_PRIORITY = 5
const LOWEST_PRIORITY = 19

/**
 * Returns the priority of an account's next file check. It falls with the checks of the last minute, so that
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
    return Math.min(LOWEST_PRIORITY, FIRST_PRIORITY + own.checks - 1)
  }
}
