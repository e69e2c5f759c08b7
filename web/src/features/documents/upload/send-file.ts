import {
  replaceDocument,
  RESUMABLE_MIN_BYTES,
  uploadDocument,
  type Document,
} from '@guidon/contract/documents'
import { CallFailure } from '../../../api/call-failure.ts'
import { DISCARDED } from '../../../api/upload-signals.ts'
import { forgetLoadFailures, lazyCode, LoadFailure } from '../../../ui/lazy-code.ts'
import { waitOf, type FileToSend } from './sending.ts'
import type { Store } from './store.ts'
import type { UploadsState } from './uploads-state.ts'

const loadWholeSender = lazyCode(() => import('../../../api/upload.ts'))
const loadPartsSender = lazyCode(() => import('../../../api/resumable/send-in-parts.ts'))

/** Sends a large file in parts, so that it continues after a lost connection, and a small one in one request. */
export function fileSender(store: Store<UploadsState>, reloadUnfinished: () => void) {
  function showAsUnfinished(ids: readonly string[]): void {
    const ownUploads = store.get().ownUploads.filter((id) => !ids.includes(id))
    store.set({ ownUploads, foundUnfinished: true })
  }

  return async (sending: FileToSend): Promise<Document> => {
    const { file, target, unfinishedId, onProgress, signal } = sending
    /** What the server has of the file stays, and can be continued later. */
    const keep = (error: unknown): never => {
      if (unfinishedId !== undefined) showAsUnfinished([unfinishedId])
      throw error
    }
    const isSmall = file.size < RESUMABLE_MIN_BYTES
    const partsSender = isSmall ? undefined : await loadOnline(loadPartsSender, sending).catch(keep)
    if (!partsSender) return sendWhole(sending).catch(keep)
    const ids: string[] = []
    const onId = (id: string) => {
      ids.push(id)
      sending.onId?.(id)
      store.set({ ownUploads: [...store.get().ownUploads, id] })
    }
    if (unfinishedId !== undefined) onId(unfinishedId)
    try {
      return await partsSender.sendInParts({
        file,
        metadata: target,
        id: unfinishedId,
        isOwn: (id) => store.get().ownUploads.includes(id),
        onId,
        onProgress: (sentFraction, failure) =>
          onProgress({ sentFraction, wait: failure && waitOf(failure, sentFraction) }),
        onNotDeleted: (id) => {
          showAsUnfinished([id])
          reloadUnfinished()
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

const RETRY_MS = 5_000

/** Waits for a connection. Undefined if the portal responds without the code, such as after a deploy. */
async function loadOnline<Code>(
  load: () => Promise<Code>,
  { onProgress, signal }: FileToSend,
): Promise<Code | undefined> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await load()
    } catch (error) {
      forgetLoadFailures()
      if (!(error instanceof LoadFailure && error.offline)) return undefined
    }
    onProgress({ sentFraction: 0, wait: 'connection' })
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
      addEventListener('online', resolve, { once: true })
      signal.addEventListener('abort', resolve, { once: true })
    })
  }
}

async function sendWhole(sending: FileToSend): Promise<Document> {
  const { file, target, unfinishedId, onProgress, signal } = sending
  const code = await loadOnline(loadWholeSender, sending)
  if (!code) throw new CallFailure(PORTAL_UPDATED)
  const { upload, deleteUnfinished } = code
  const common = {
    file,
    onProgress: (sentFraction: number) => onProgress({ sentFraction, wait: undefined }),
    signal,
  }
  const document = await ('replaces' in target
    ? upload(replaceDocument, {
        ...common,
        form: target.note ? { note: target.note } : {},
        params: { id: target.replaces },
      })
    : upload(uploadDocument, { ...common, form: target }))
  // If this fails, the server deletes it after a day.
  if (unfinishedId !== undefined) deleteUnfinished(unfinishedId).catch(() => {})
  return document
}

const PORTAL_UPDATED = {
  status: 503,
  code: 'code_gone',
  message: 'The portal may have been updated. Please reload the page, then choose the file again.',
}
