/** The job is retried, as after any other failure. */
export class JobTimeout extends Error {
  override name = 'JobTimeout'
}

/**
 * Fails the task after a timeout. A job that runs past its expiry would make the queue fail its whole batch
 * and start those jobs again while they still run.
 */
export async function withDeadline<T>(
  milliseconds: number,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const timeout = new JobTimeout('job timed out')
    abort.abort(timeout)
    reject(timeout)
  }, milliseconds)
  try {
    return await Promise.race([task(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
