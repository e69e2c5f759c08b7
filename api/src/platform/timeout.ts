import { setTimeout as delay } from 'node:timers/promises'

/** Throws where it takes longer; what it comes to then is nobody's any more. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = delay(ms, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('took too long')
  })
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
    late.catch(() => undefined)
    work.catch(() => undefined)
  }
}
