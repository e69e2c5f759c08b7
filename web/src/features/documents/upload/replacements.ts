import { replaceDocument, UPLOADED, type Document } from '@guidon/contract/documents'
import { DISCARDED } from '../../../api/upload-signals.ts'
import { failureText } from '../document-texts.ts'
import { askBeforeLeaving } from '../leave-guard.ts'
import type { FileToSend, SendProgress } from './sending.ts'
import { failureOf } from './upload-failures.ts'
import type { Replacement, UploadParts } from './uploads-state.ts'

const NOTHING_SENT: SendProgress = { sentFraction: 0, wait: undefined }

/** New versions of documents. */
export function replacements({ store, documents, sendFile, sessionSignal, show }: UploadParts) {
  const running = new Map<string, AbortController>()
  const all = () => store.get().replacements

  /** Does nothing once the replacement is gone. */
  function patch(id: string, change: Partial<Replacement>): void {
    const replacement = all()[id]
    if (replacement) store.set({ replacements: { ...all(), [id]: { ...replacement, ...change } } })
  }

  function forget(id: string): void {
    const { [id]: _, ...others } = all()
    store.set({ replacements: others })
  }

  /**
   * Returns false if the document has no file yet or is being replaced already. An interrupted upload is resumed by its
   * id.
   */
  function replace(document: Document, file: File, note: string, unfinishedId?: string): boolean {
    const { id, boxFileId } = document
    if (!boxFileId || running.has(id)) return false
    const own = new AbortController()
    running.set(id, own)
    const signal = AbortSignal.any([own.signal, sessionSignal()])
    const target = { replaces: boxFileId, ...(note.trim() && { note: note.trim() }) }
    const facts = { document, file, note }
    store.set({
      replacements: { ...all(), [id]: { ...facts, sent: NOTHING_SENT, failure: undefined } },
    })
    void send(id, { file, target, unfinishedId, signal })
    return true
  }

  async function send(id: string, file: Omit<FileToSend, 'onProgress'>): Promise<void> {
    const { signal } = file
    try {
      const onProgress = (sent: SendProgress) => patch(id, { sent })
      const created = await askBeforeLeaving(sendFile({ ...file, onProgress }))
      if (signal.aborted) return forget(id)
      await documents.replace(id, created)
      forget(id)
      show({ kind: 'success', text: UPLOADED, name: created.name })
    } catch (error) {
      if (signal.aborted) return forget(id)
      const failure = failureOf(error, (cause) => failureText(cause, replaceDocument.failure))
      patch(id, { sent: undefined, failure })
    } finally {
      running.delete(id)
    }
  }

  const retry = ({ document, file, note }: Replacement) => replace(document, file, note)

  return {
    replace,
    forget,
    stop: (id: string) => running.get(id)?.abort(DISCARDED),
    stopAll: () => running.forEach((controller) => controller.abort()),
    retry,
    /** Sends again the replacements that failed without a response. */
    retryAfterNoResponse: () =>
      Object.values(all())
        .filter(({ failure }) => failure?.noResponse)
        .forEach(retry),
  }
}
