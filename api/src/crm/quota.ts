import type { Usage } from './port.ts'

/** From here on, what is left of a day's calls is spread over a day. */
const SLOW_FROM = 0.8
const DAY_MS = 86_400_000
const LONGEST_MS = 60_000

export function isScarce(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.used >= usage.limit * SLOW_FROM
}

/** How far apart the calls are that nobody sits in front of. */
export function spacingMs(usage: Usage | undefined): number {
  if (!usage || !isScarce(usage)) return 0
  return Math.min(DAY_MS / Math.max(1, usage.limit - usage.used), LONGEST_MS)
}
