/** What the user wants to do, although it would stop the uploads. */
export interface Leaving {
  action: 'leave' | 'log out'
  go: () => void
  stay?: () => void
}

let running = 0
let question: ((leaving: Leaving | undefined) => void) | undefined
const preventLeaving = (event: Event): void => event.preventDefault()

export const isUploadUnderWay = (): boolean => running > 0

/** Set by the uploads, whose code is not part of the first load. */
export function setLeaveQuestion(ask: NonNullable<typeof question>): void {
  question = ask
}

/** Undefined withdraws the question. */
export function askToLeave(leaving: Leaving | undefined): void {
  question?.(leaving)
}

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
