import { CrmUnavailable } from '../port.ts'

/** How much later than the time-out of its requests a call gives up on the vendor's program itself. */
const GRACE_MS = 500

export interface Deadline {
  /** Milliseconds that are left; throws when there are none. */
  left(): number
}

/** Whatever happens in `work`, this settles. */
export async function withTimeout<Result>(
  milliseconds: number,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + milliseconds
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timedOut()), milliseconds + GRACE_MS)
  const deadline = {
    left() {
      const left = Math.floor(end - performance.now())
      if (left <= 0) throw timedOut()
      return left
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
