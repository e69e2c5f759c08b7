const WINDOW_MS = 60_000
/** As the operating system counts: behind whatever answers requests, and at the end behind everything. */
const FIRST = 5
const LAST = 19

/**
 * The priority of an account's next file check. The more of its files were checked within a minute, the lower:
 * one account with many costly files takes no CPU from another's first.
 */
export function checkPriority(now: () => number = () => performance.now()) {
  /** In the order of their windows' start, so that those that are over come first. */
  const recent = new Map<string, { since: number; checks: number }>()

  const forgetOld = () => {
    for (const [userId, { since }] of recent) {
      if (now() - since < WINDOW_MS) return
      recent.delete(userId)
    }
  }

  return (userId: string): number => {
    forgetOld()
    const own = recent.get(userId) ?? { since: now(), checks: 0 }
    recent.set(userId, own)
    own.checks += 1
    return Math.min(LAST, FIRST + own.checks - 1)
  }
}
