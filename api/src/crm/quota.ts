import type { Usage } from './port.ts'

/** Above this share of the quota, the remaining calls are spread over a day. */
const SCARCE_SHARE = 0.8
const DAY_MS = 86_400_000
const MAX_SPACING_MS = 60_000

export function isScarce(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.used >= usage.limit * SCARCE_SHARE
}

/** The time between two background calls. */
export function spacingMs(usage: Usage | undefined): number {
  if (!usage || !isScarce(usage)) return 0
  return Math.min(DAY_MS / Math.max(1, usage.limit - usage.used), MAX_SPACING_MS)
}
