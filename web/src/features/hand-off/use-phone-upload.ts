import { documentExists } from '@guidon/contract/documents'
import { getSlot, HAND_OFF_POLL_SECONDS, sendFromPhone } from '@guidon/contract/hand-off'
import { useState } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { isRepeatedDefect, isTemporary, pauseAfter } from '../../api/resumable/retry.ts'
import { upload } from '../../api/upload.ts'
import { withTimeInName } from './phone-file-name.ts'

export interface PhoneProgress {
  /** From 0 to 1; at 1 the server checks the file. */
  sentFraction: number
  /** Why it waits at the moment. */
  failure?: CallFailure
}

export type PhoneUpload =
  | { kind: 'none' }
  | ({ kind: 'sending'; file: File } & PhoneProgress)
  | { kind: 'failed'; file: File; failure: Error }
  | { kind: 'arrived' }

/** Sends the one file of a phone. After a lost connection it tries again by itself until the time is over. */
export function usePhoneUpload(endsAt: number) {
  const [state, setState] = useState<PhoneUpload>({ kind: 'none' })

  async function send(file: File): Promise<void> {
    const show = (progress: PhoneProgress) => setState({ kind: 'sending', file, ...progress })
    show({ sentFraction: 0 })
    try {
      await sendUntil(endsAt, file, show)
      setState({ kind: 'arrived' })
    } catch (failure) {
      setState({ kind: 'failed', file, failure: failure as Error })
    }
  }

  return { state, send, forget: () => setState({ kind: 'none' }) }
}

async function sendUntil(
  endsAt: number,
  given: File,
  show: (progress: PhoneProgress) => void,
): Promise<void> {
  let file = given
  let shown: PhoneProgress = { sentFraction: 0 }
  const onProgress = (sentFraction: number) => show((shown = { sentFraction }))
  for (let failures = 0; ;) {
    try {
      // The file may have arrived although the response was lost.
      if (failures > 0 && (await hasArrived())) return
      return await upload(sendFromPhone, { file, form: {}, onProgress })
    } catch (error) {
      if (isNameTaken(error) && file === given) {
        // The phone does not see the names of other documents, so it cannot choose a free one in advance.
        file = withTimeInName(given, new Date())
        continue
      }
      failures += 1
      if (!isTemporary(error) || isRepeatedDefect(error, failures) || Date.now() >= endsAt)
        throw error
      show({ ...shown, failure: error })
      await pauseAfter(failures, error)
    }
  }
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === documentExists.code

/** Waits while the server receives and checks a file. */
async function hasArrived(): Promise<boolean> {
  for (;;) {
    const { state } = await call(getSlot)
    if (state !== 'sending') return state === 'arrived'
    await new Promise((resolve) => setTimeout(resolve, HAND_OFF_POLL_SECONDS * 1000))
  }
}
