import { CrmUnavailable } from '../port.ts'
import type { Purpose } from '../port.ts'

/** Extra time for jsforce to report its own request timeout first. */
const GRACE_MS = 500

export interface Deadline {
  /** Why the calls are made, to count them. */
  purpose: Purpose
  /** The remaining milliseconds; throws if there are none. */
  remainingMs(): number
}

/** Settles even if `work` never does. */
export async function withTimeout<Result>(
  milliseconds: number,
  purpose: Purpose,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + milliseconds
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timedOut()), milliseconds + GRACE_MS)
  const deadline = {
    purpose,
    remainingMs() {
      const remainingMs = Math.floor(end - performance.now())
      if (remainingMs <= 0) throw timedOut()
      return remainingMs
    },
  }
  try {
    return await Promise.race([work(deadline), late])
  } finally {
    clearTimeout(timer)
  }
}

export function timedOut(): CrmUnavailable {
  return new CrmUnavailable('TIMEOUT')
}
