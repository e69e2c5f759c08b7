import { setTimeout as delay } from 'node:timers/promises'

/** Throws if the work takes longer; its later result is ignored. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const settled = new AbortController()
  const late = delay(ms, undefined, { signal: settled.signal, ref: false }).then(() => {
    throw new Error('timeout')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    settled.abort()
    late.catch(() => undefined)
    work.catch(() => undefined)
  }
}
