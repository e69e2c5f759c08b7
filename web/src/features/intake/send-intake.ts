import { intakeSubmitted, saveIntake, type IntakeSave } from '@guidon/contract/intake'
import { invalidInput } from '@guidon/contract/refusal'
import { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import type { Outcome } from './draft-sync.ts'

/** A failed save throws no error: the draft is kept and sent again. */
export async function sendIntake(body: IntakeSave): Promise<Outcome> {
  try {
    return { kind: 'saved', ...(await call(saveIntake, { body })) }
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    if (failure.code === intakeSubmitted.code) return { kind: 'closed' }
    if (failure.code === invalidInput.code) {
      return { kind: 'refused', names: Object.keys(failure.fields) }
    }
    return { kind: 'failed' }
  }
}
