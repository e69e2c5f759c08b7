/** Not an abort: it is tried again like any other failure. */
export class JobTimeout extends Error {
  override name = 'JobTimeout'
}

/**
 * Fails the task once its time is up. One slow job would otherwise outlive its expiry, and the queue would
 * fail every job of its batch and hand them out again while they still run.
 */
export async function withDeadline<T>(
  milliseconds: number,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const timeout = new JobTimeout('a job took longer than it may')
    abort.abort(timeout)
    reject(timeout)
  }, milliseconds)
  try {
    return await Promise.race([task(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
