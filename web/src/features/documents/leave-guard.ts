let underWay = 0
const ask = (event: Event): void => event.preventDefault()

/** Makes the browser ask before leaving the page until the task is done. */
export async function askBeforeLeaving<Result>(task: Promise<Result>): Promise<Result> {
  if (underWay === 0) addEventListener('beforeunload', ask)
  underWay += 1
  try {
    return await task
  } finally {
    underWay -= 1
    if (underWay === 0) removeEventListener('beforeunload', ask)
  }
}
