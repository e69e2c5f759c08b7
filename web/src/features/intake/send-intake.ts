import { intakeSubmitted, saveIntake, type IntakeSave } from '@guidon/contract/intake'
import { invalidInput } from '@guidon/contract/refusal'
import { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { TIMED_OUT } from '../../api/send.ts'
import type { Outcome, SaveFailureReason } from './save-outcome.ts'

/** Returns a failed save as an outcome, because the draft sends it again. Continues if the tab is closed. */
export async function sendIntake(body: IntakeSave): Promise<Outcome> {
  try {
    return { kind: 'saved', ...(await call(saveIntake, { body, keepalive: true })) }
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    if (failure.code === intakeSubmitted.code) return { kind: 'closed' }
    if (failure.code === invalidInput.code) {
      return { kind: 'refused', names: Object.keys(failure.fields) }
    }
    return { kind: 'failed', reason: reasonOf(failure) }
  }
}

function reasonOf({ status, code }: CallFailure): SaveFailureReason {
  if (status !== 0) return 'server_error'
  return code === TIMED_OUT || code === 'waited_too_long' ? 'timed_out' : 'no_network'
}
