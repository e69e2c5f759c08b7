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
import { refusalOf } from './file-check.ts'
import { askBeforeLeaving } from './leave-guard.ts'
import { ownName } from './own-name.ts'
import type { ShowToast } from './use-toast.ts'

const SNACKBAR_SECONDS = 3

interface Tell {
  show: ShowToast
  onSuccessor: (made: Document) => void
}

/** Uploads a file for one document of the list: a requested one, or a new version. */
export function useCardUpload(document: Document, { show, onSuccessor }: Tell) {
  const { putInPlace } = useDocumentChanges()
  const [chosen, setChosen] = useState<File>()
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const underWay = useRef<AbortController>(undefined)

  function fail(text: string, seconds: number): void {
    setFailure(text)
    show({ kind: 'error', text, seconds })
  }

  async function choose(given: File): Promise<void> {
    if (underWay.current !== undefined) return
    const file = ownName(given)
    const refusal = await refusalOf(file)
    if (refusal !== undefined) fail(refusal, WRONG_TYPE_TOAST_SECONDS)
    else if (isRequested(document)) await send(file)
    else setChosen(file)
  }

  async function send(file: File): Promise<void> {
    const stopping = new AbortController()
    underWay.current = stopping
    setChosen(undefined)
    setFailure(undefined)
    setShare(0)
    try {
      const watch = { file, onProgress: setShare, signal: stopping.signal }
      const made = await askBeforeLeaving(sent(document, watch))
      onSuccessor(made)
      await putInPlace(document.id, made)
      show({ kind: 'success', text: UPLOADED, name: made.name, seconds: SNACKBAR_SECONDS })
    } catch (error) {
      if (!stopping.signal.aborted) fail(textOf(document, error), SNACKBAR_SECONDS)
    } finally {
      underWay.current = undefined
      setShare(undefined)
    }
  }

  return {
    choose,
    /** The file that waits for confirmation before it replaces the present one. */
    chosen,
    confirm: () => chosen && void send(chosen),
    dismiss: () => setChosen(undefined),
    /** The share that has been sent, while uploading. */
    share,
    failure,
    stop: () => underWay.current?.abort(),
  }
}

interface Watch {
  file: File
  onProgress: (share: number) => void
  signal: AbortSignal
}

function sent({ id, type, boxFileId }: Document, watch: Watch): Promise<Document> {
  if (boxFileId) return upload(replaceDocument, { ...watch, form: {}, params: { id: boxFileId } })
  const form = { documentType: type?.trim() || OTHER_CATEGORY, documentId: id }
  return upload(uploadDocument, { ...watch, form })
}

function textOf(document: Document, error: unknown): string {
  return isRequested(document) ? uploadFailure(error) : failureText(error, replaceDocument.failure)
}
