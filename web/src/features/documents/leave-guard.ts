let underWay = 0
const ask = (event: Event): void => event.preventDefault()

/** Until the task is done, the browser asks before it leaves the page. */
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
