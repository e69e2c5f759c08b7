import {
  OTHER_CATEGORY,
  replaceDocument,
  UPLOADED,
  uploadDocument,
  WRONG_TYPE_TOAST_SECONDS,
  type Document,
} from '@guidon/contract/documents'
import { useRef, useState } from 'react'
import { upload } from '../../api/upload.ts'
import { isRequested } from './document-list.ts'
import { failureText, uploadFailure } from './document-texts.ts'
import { useDocumentChanges } from './documents-query.ts'
import { refusalMessage } from './file-check.ts'
import { askBeforeLeaving } from './leave-guard.ts'
import { uniquePhotoName } from './unique-photo-name.ts'
import type { ShowToast } from './use-toast.ts'

const SNACKBAR_SECONDS = 3

interface Callbacks {
  show: ShowToast
  onReplaced: (created: Document) => void
}

/** Uploads a file for one document of the list: a requested one, or a new version. */
export function useCardUpload(document: Document, { show, onReplaced }: Callbacks) {
  const { putInPlace } = useDocumentChanges()
  const [chosen, setChosen] = useState<File>()
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const running = useRef<AbortController>(undefined)

  function fail(text: string, seconds: number): void {
    setFailure(text)
    show({ kind: 'error', text, seconds })
  }

  async function choose(given: File): Promise<void> {
    if (running.current !== undefined) return
    const file = uniquePhotoName(given)
    const refusal = await refusalMessage(file)
    if (refusal !== undefined) fail(refusal, WRONG_TYPE_TOAST_SECONDS)
    else if (isRequested(document)) await send(file)
    else setChosen(file)
  }

  async function send(file: File): Promise<void> {
    const stopping = new AbortController()
    running.current = stopping
    setChosen(undefined)
    setFailure(undefined)
    setShare(0)
    try {
      const options = { file, onProgress: setShare, signal: stopping.signal }
      const created = await askBeforeLeaving(sendFile(document, options))
      onReplaced(created)
      await putInPlace(document.id, created)
      show({ kind: 'success', text: UPLOADED, name: created.name, seconds: SNACKBAR_SECONDS })
    } catch (error) {
      if (!stopping.signal.aborted) fail(failureOf(document, error), SNACKBAR_SECONDS)
    } finally {
      running.current = undefined
      setShare(undefined)
    }
  }

  return {
    choose,
    /** The file that replaces the current one after confirmation. */
    chosen,
    confirm: () => chosen && void send(chosen),
    dismiss: () => setChosen(undefined),
    /** The fraction that has been sent, while uploading. */
    share,
    failure,
    stop: () => running.current?.abort(),
  }
}

interface Options {
  file: File
  onProgress: (share: number) => void
  signal: AbortSignal
}

function sendFile({ id, type, boxFileId }: Document, options: Options): Promise<Document> {
  if (boxFileId) return upload(replaceDocument, { ...options, form: {}, params: { id: boxFileId } })
  const form = { documentType: type?.trim() || OTHER_CATEGORY, documentId: id }
  return upload(uploadDocument, { ...options, form })
}

function failureOf(document: Document, error: unknown): string {
  return isRequested(document) ? uploadFailure(error) : failureText(error, replaceDocument.failure)
}
