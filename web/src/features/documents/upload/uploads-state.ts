import type { Document } from '@guidon/contract/documents'
import type { DocumentChanges } from '../documents-query.ts'
import type { Leaving } from '../leave-guard.ts'
import type { PickedFile, RefusedFiles } from './picked-files.ts'
import type { FileToSend, SendProgress } from './sending.ts'
import type { Store } from './store.ts'
import type { Failure } from './upload-failures.ts'

interface ToastMessage {
  kind: 'success' | 'error'
  text: string
  /** The document's current name: a photo in place of a PDF changes the extension. */
  name?: string
  seconds: number
}

/** A new version of a document: being sent, or failed. */
export interface Replacement {
  document: Document
  file: File
  note: string
  /** While sending. */
  sent: SendProgress | undefined
  failure: Failure | undefined
}

export interface UploadedFile {
  name: string
  /** The id of the request for which it was sent. */
  requestId: string | undefined
}

export interface UploadsState {
  /** `asking`: open, with the question whether to discard the picked files. */
  dialog: 'closed' | 'open' | 'asking'
  /** The requested document for which the dialog was opened. */
  request: Document | undefined
  picked: readonly PickedFile[]
  refused: readonly RefusedFiles[]
  /** The files that were accepted since the dialog opened. */
  uploaded: readonly UploadedFile[]
  /** Whether photos that are not joined yet would be lost. */
  hasPhotos: boolean
  /** Whether the dialog shows the code for a phone. */
  onPhone: boolean
  /** Whether a file for a replacement is being chosen or waits for confirmation. */
  choosing: boolean
  /** By the id of the document. */
  replacements: Readonly<Record<string, Replacement>>
  /** Ids of uploads that this tab sends, has finished or has discarded: they are not listed as unfinished. */
  ownUploads: readonly string[]
  /** Whether a refusal or a failure has left uploads that are not finished. */
  foundUnfinished: boolean
  toast: ToastMessage | undefined
  /** What the user wants to do, while the question is open whether to stop the uploads for it. */
  leaving: Leaving | undefined
  /** Ids of new documents, which the list shows at the top. */
  newIds: readonly string[]
  /** React keys by document id: an upload for a request keeps the card of the request, with its place and focus. */
  cardKeys: Readonly<Record<string, string>>
}

export const NO_UPLOADS: UploadsState = {
  dialog: 'closed',
  request: undefined,
  picked: [],
  refused: [],
  uploaded: [],
  hasPhotos: false,
  onPhone: false,
  choosing: false,
  replacements: {},
  ownUploads: [],
  foundUnfinished: false,
  toast: undefined,
  leaving: undefined,
  newIds: [],
  cardKeys: {},
}

/** What the parts of the uploads share. */
export interface UploadParts {
  store: Store<UploadsState>
  documents: {
    add(created: Document, request: Document | undefined): Promise<void>
    replace: DocumentChanges['putInPlace']
    /** Undefined if the list is not known. */
    latest: DocumentChanges['latest']
  }
  sendFile(sending: FileToSend): Promise<Document>
  /** Aborted when the session ends. */
  sessionSignal(): AbortSignal
  /** The latest message replaces an earlier one. */
  show(toast: Omit<ToastMessage, 'seconds'> & { seconds?: number }): void
  /** Called when the queue of the dialog is empty. */
  onSent(): void
}
