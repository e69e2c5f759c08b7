import { documentExists } from '@guidon/contract/documents'
import { getSlot, sendFromPhone } from '@guidon/contract/hand-off'
import { useState } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { upload } from '../../api/upload.ts'
import { withTime } from './phone-file-name.ts'

export type PhoneUpload =
  | { kind: 'none' }
  /** `sentFraction`: from 0 to 1; at 1 the server checks the file. */
  | { kind: 'sending'; file: File; sentFraction: number }
  | { kind: 'failed'; file: File; failure: Error }
  | { kind: 'arrived' }

/** Sends the one file of a phone. */
export function usePhoneUpload() {
  const [state, setState] = useState<PhoneUpload>({ kind: 'none' })

  async function send(file: File): Promise<void> {
    const onProgress = (sentFraction: number) => setState({ kind: 'sending', file, sentFraction })
    onProgress(0)
    try {
      await sendOnce(file, onProgress)
      setState({ kind: 'arrived' })
    } catch (failure) {
      setState({ kind: 'failed', file, failure: failure as Error })
    }
  }

  return { state, send, forget: () => setState({ kind: 'none' }) }
}

async function sendOnce(file: File, onProgress: (share: number) => void): Promise<void> {
  try {
    await upload(sendFromPhone, { file, form: {}, onProgress })
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (error.status === 0 && (await hasArrived())) return
    // The phone does not see the names of other documents, so it cannot choose a free one before.
    if (error.code !== documentExists.code) throw error
    await upload(sendFromPhone, { file: withTime(file, new Date()), form: {}, onProgress })
  }
}

/** After a lost response. */
async function hasArrived(): Promise<boolean> {
  return call(getSlot).then(
    ({ state }) => state === 'arrived',
    () => false,
  )
}
