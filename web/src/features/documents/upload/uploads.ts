import { UPLOADED, uploadedDocuments, type Document } from '@guidon/contract/documents'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { currentUserQuery } from '../../../api/current-user.ts'
import { documentChanges, documentsQuery, UNFINISHED_KEY } from '../documents-query.ts'
import { setLeaveQuestion, type Leaving } from '../leave-guard.ts'
import { addBackEntry } from './back-entry.ts'
import { dialogFiles } from './dialog-files.ts'
import { isUploading } from './picked-files.ts'
import { replacements } from './replacements.ts'
import { fileSender } from './send-file.ts'
import { createStore } from './store.ts'
import {
  NO_UPLOADS,
  type UploadedFile,
  type UploadParts,
  type UploadsState,
} from './uploads-state.ts'

const TOAST_SECONDS = 3

type Uploads = ReturnType<typeof createUploads>

/** Sends files independently of the screen that is shown, so that an upload continues when the user leaves it. */
function createUploads(client: QueryClient) {
  const store = createStore(NO_UPLOADS)
  const changes = documentChanges(client)
  let session = new AbortController()
  let toastTimer: ReturnType<typeof setTimeout> | undefined
  let removeBackEntry: (() => void) | undefined
  let addedInDialog = 0

  const parts: UploadParts = {
    store,
    documents: { add: addDocument, replace: changes.putInPlace, latest: changes.latest },
    sendFile: fileSender(store, () => void client.invalidateQueries({ queryKey: UNFINISHED_KEY })),
    sessionSignal: () => session.signal,
    show,
    onSent: reportInBackground,
  }
  const files = dialogFiles(parts)
  const versions = replacements(parts)

  function show({ seconds = TOAST_SECONDS, ...message }: Parameters<UploadParts['show']>[0]) {
    clearTimeout(toastTimer)
    toastTimer = setTimeout(() => store.set({ toast: undefined }), seconds * 1000)
    store.set({ toast: { ...message, seconds } })
  }

  /** A document for a request takes its place. Others go to the top, those of one dialog in the order chosen. */
  async function addDocument(created: Document, request: Document | undefined): Promise<void> {
    if (request) {
      const { cardKeys } = store.get()
      const key = cardKeys[request.id] ?? request.id
      store.set({ cardKeys: { ...cardKeys, [created.id]: key } })
      return changes.putInPlace(request.id, created)
    }
    await changes.add(created)
    const others = store.get().newIds.filter((id) => id !== created.id)
    store.set({ newIds: others.toSpliced(addedInDialog, 0, created.id) })
    addedInDialog += 1
  }

  /** A phone has sent the document for which the dialog is open. Undefined if it could not be read. */
  async function addFromPhone(created: Document | undefined): Promise<void> {
    const { request } = store.get()
    if (created) await addDocument(created, request)
    void client.invalidateQueries(documentsQuery)
    const name = created?.name ?? 'from your phone'
    store.set({ uploaded: [...store.get().uploaded, { name, requestId: request?.id }] })
  }

  /** Shows the results in a notice if the dialog is closed; an open dialog shows them itself. */
  function reportInBackground(): void {
    const { dialog, uploaded, picked } = store.get()
    if (dialog !== 'closed') return
    if (uploaded.length > 0) show({ kind: 'success', text: successText(uploaded) })
    store.set({ uploaded: [], ...(picked.length === 0 && { request: undefined }) })
  }

  function openDialog(request?: Document, onPhone = false): void {
    const { dialog, picked } = store.get()
    if (dialog !== 'closed') return
    if (!picked.some(isUploading)) addedInDialog = 0
    store.set({ dialog: 'open', request, onPhone, uploaded: [], refused: [] })
    removeBackEntry = addBackEntry(() => {
      leaveDialog()
      return store.get().dialog === 'closed'
    })
  }

  /** Uploads that are under way continue. */
  function closeDialog(): void {
    const { picked } = store.get()
    const continuing = picked.some(isUploading)
    store.set({
      dialog: 'closed',
      hasPhotos: false,
      refused: [],
      ...(!continuing && { picked: [], uploaded: [] }),
    })
    removeBackEntry?.()
    removeBackEntry = undefined
  }

  /** For Back and Escape: asks before it discards files. */
  function leaveDialog(): void {
    const { dialog, picked, hasPhotos } = store.get()
    if (dialog === 'asking') return store.set({ dialog: 'open' })
    const losesFiles = hasPhotos || (picked.length > 0 && !picked.some(isUploading))
    if (losesFiles) store.set({ dialog: 'asking' })
    else closeDialog()
  }

  const isSending = () => {
    const { picked, replacements: byId } = store.get()
    return picked.some(isUploading) || Object.values(byId).some((one) => one.sent !== undefined)
  }

  const ask = (leaving: Leaving | undefined) => store.set({ leaving })

  /** The server keeps what it has of large files, so that they can be continued. */
  function stopAll(): void {
    files.stopAll()
    versions.stopAll()
  }

  /** On a shared computer nothing of the previous user may remain. */
  function forget(): void {
    session.abort()
    session = new AbortController()
    clearTimeout(toastTimer)
    removeBackEntry?.()
    removeBackEntry = undefined
    store.set(NO_UPLOADS)
  }

  // When a session ends, /signin clears the cache, and with it the current user.
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed' && query.queryHash === CURRENT_USER_HASH) forget()
  })
  setLeaveQuestion(ask)
  addEventListener('online', () => {
    files.retryAfterNoResponse()
    versions.retryAfterNoResponse()
  })

  return {
    store,
    files,
    versions,
    show,
    openDialog,
    closeDialog,
    leaveDialog,
    keepFiles: () => store.set({ dialog: 'open' }),
    setChoosing: (choosing: boolean) => store.set({ choosing }),
    setHasPhotos: (hasPhotos: boolean) => store.set({ hasPhotos }),
    setOnPhone: (onPhone: boolean) => store.set({ onPhone }),
    addFromPhone,
    /** Discards the files that failed in the background. */
    dismissFailed: () => store.set({ picked: store.get().picked.filter(isUploading) }),
    /** Asks first if it would stop an upload. */
    beforeLogOut: (go: () => void) => (isSending() ? ask({ action: 'log out', go }) : go()),
    stay: () => {
      const { leaving } = store.get()
      store.set({ leaving: undefined })
      leaving?.stay?.()
    },
    stopAndLeave: () => {
      const { leaving, dialog } = store.get()
      stopAll()
      store.set({ leaving: undefined, ...(dialog === 'closed' && { picked: [] }) })
      leaving?.go()
    },
  }
}

const CURRENT_USER_HASH = JSON.stringify(currentUserQuery.queryKey)

const byClient = new WeakMap<QueryClient, Uploads>()

export function useUploads(): Uploads {
  const client = useQueryClient()
  const known = byClient.get(client)
  if (known) return known
  const created = createUploads(client)
  byClient.set(client, created)
  return created
}

/** `select` must return a part of the state: a new object each time would render again and again. */
export function useUploadsState<Part>(select: (state: UploadsState) => Part): Part {
  const { store } = useUploads()
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}

/**
 * The uploaded files for the request of the dialog; if it has none, those that were sent for no request. Uploads that
 * continued after an earlier dialog was closed may have added others.
 */
export const uploadedInDialog = ({ request, uploaded }: UploadsState): UploadedFile[] =>
  uploaded.filter(({ requestId }) => requestId === request?.id)

export const countUploaded = (state: UploadsState): number => uploadedInDialog(state).length

export const successText = (uploaded: readonly UploadedFile[]): string =>
  uploaded.length === 1 && uploaded[0]!.requestId !== undefined
    ? UPLOADED
    : uploadedDocuments(uploaded.map(({ name }) => name))
