import { handOffGone } from '@guidon/contract/hand-off'
import { CallFailure } from '../../api/call-failure.ts'

const TIMED_OUT = 408
const TOO_MANY = 429

/** Whether the code no longer works. */
export const isCodeOver = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === handOffGone.code

/** Whether the same attempt may succeed later. */
export function canTryAgain(error: unknown): boolean {
  if (!(error instanceof CallFailure)) return true
  const { status } = error
  return status < 400 || status >= 500 || status === TIMED_OUT || status === TOO_MANY
}
