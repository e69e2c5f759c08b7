import {
  replaceDocument,
  RESUMABLE_MIN_BYTES,
  uploadDocument,
  type Document,
} from '@guidon/contract/documents'
import { DISCARDED } from '../../../api/send-bytes.ts'
import { upload } from '../../../api/upload.ts'
import { forgetLoadFailures, lazyCode } from '../../../ui/lazy-code.ts'
import type { FileToSend } from './sending.ts'
import type { Store } from './store.ts'
import type { UploadsState } from './uploads-state.ts'

const loadParts = lazyCode(() => import('../../../api/resumable/send-in-parts.ts'))

/** Sends a large file in parts, so that it continues after a lost connection, and a small one at once. */
export function fileSender(store: Store<UploadsState>, reloadUnfinished: () => void) {
  const showAsUnfinished = (ids: readonly string[]) =>
    store.set({
      ownUploads: store.get().ownUploads.filter((id) => !ids.includes(id)),
      foundUnfinished: true,
    })

  return async (sending: FileToSend): Promise<Document> => {
    const { file, target, unfinishedId, onProgress, signal } = sending
    const parts = file.size < RESUMABLE_MIN_BYTES ? undefined : await codeOfParts()
    if (!parts) return sendAtOnce(sending)
    const ids: string[] = []
    const onId = (id: string) => {
      ids.push(id)
      store.set({ ownUploads: [...store.get().ownUploads, id] })
    }
    if (unfinishedId !== undefined) onId(unfinishedId)
    try {
      return await parts.sendInParts({
        file,
        metadata: target,
        id: unfinishedId,
        isRunning: (id) => store.get().ownUploads.includes(id),
        onId,
        onProgress: (sentFraction, failure) => {
          const wait = failure && (failure.status === 0 ? 'connection' : 'server')
          onProgress({ sentFraction, wait })
        },
        signal,
      })
    } catch (error) {
      if (signal.reason !== DISCARDED) showAsUnfinished(ids)
      reloadUnfinished()
      throw error
    }
  }
}

/** Undefined if the code cannot be fetched, such as after a deploy. */
async function codeOfParts() {
  try {
    return await loadParts()
  } catch {
    forgetLoadFailures()
    return undefined
  }
}

function sendAtOnce({ file, target, onProgress, signal }: FileToSend): Promise<Document> {
  const parts = {
    file,
    onProgress: (sentFraction: number) => onProgress({ sentFraction, wait: undefined }),
    signal,
  }
  return 'replaces' in target
    ? upload(replaceDocument, {
        ...parts,
        form: target.note ? { note: target.note } : {},
        params: { id: target.replaces },
      })
    : upload(uploadDocument, { ...parts, form: target })
}
