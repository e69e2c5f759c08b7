let running = 0
const preventLeaving = (event: Event): void => event.preventDefault()

/** Makes the browser ask before leaving the page until the task is done. */
export async function askBeforeLeaving<Result>(task: Promise<Result>): Promise<Result> {
  if (running === 0) addEventListener('beforeunload', preventLeaving)
  running += 1
  try {
    return await task
  } finally {
    running -= 1
    if (running === 0) removeEventListener('beforeunload', preventLeaving)
  }
}
