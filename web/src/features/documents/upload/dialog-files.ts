import { OTHER_CATEGORY, TOO_MANY_FILES, type Document } from '@guidon/contract/documents'
import type { UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { DISCARDED } from '../../../api/upload-signals.ts'
import { isRequested } from '../document-list.ts'
import { refusalMessage } from '../file-check.ts'
import { askBeforeLeaving } from '../leave-guard.ts'
import { uniquePhotoName } from '../unique-photo-name.ts'
import { withoutCameraData } from '../without-camera-data.ts'
import { freeName } from './free-name.ts'
import {
  addFiles,
  canSend,
  groupByMessage,
  isUploading,
  ONE_FILE_MESSAGE,
  READY,
  removeFile,
  updateFile,
  type PickedFile,
} from './picked-files.ts'
import type { SendProgress } from './sending.ts'
import { failureOf, REQUEST_ANSWERED, type Failure } from './upload-failures.ts'
import type { UploadParts } from './uploads-state.ts'

/** The files of the dialog: chosen, given a category, and sent one after the other. */
export function dialogFiles({ store, documents, sendFile, sessionSignal, onSent }: UploadParts) {
  const controllers = new Map<string, AbortController>()
  /** The session in which the queue is running. */
  let running: AbortSignal | undefined
  const picked = () => store.get().picked
  const update = (next: PickedFile[]) => store.set({ picked: next })
  const patch = (key: string, change: Partial<PickedFile>) =>
    update(updateFile(picked(), key, change))

  async function add(files: readonly File[]): Promise<void> {
    const { request } = store.get()
    const session = sessionSignal()
    const checked = await Promise.all(
      files.map(async (given) => {
        const file = await withoutCameraData(given)
        return { file, refusal: await refusalMessage(file) }
      }),
    )
    if (session.aborted) return
    const accepted = checked.filter(({ refusal }) => refusal === undefined).map(({ file }) => file)
    const next = addFiles(picked(), accepted, () => crypto.randomUUID(), request)
    const limit = request === undefined ? TOO_MANY_FILES : ONE_FILE_MESSAGE
    store.set({
      picked: next.picked,
      refused: [
        ...groupByMessage(checked),
        ...(next.tooMany ? [{ message: limit, names: [] }] : []),
      ],
    })
  }

  /** Puts another file in the place of one that the server refused. */
  async function swap(key: string, given: File): Promise<void> {
    const file = uniquePhotoName(await withoutCameraData(given))
    const message = await refusalMessage(file)
    const progress =
      message === undefined
        ? { progress: READY }
        : failed({ message, remedy: 'other-file', noResponse: false })
    patch(key, { file, name: file.name, unfinishedId: undefined, ...progress })
  }

  /** Sends all that can be sent; while the queue runs, adds to it. */
  async function send(which = canSend): Promise<void> {
    const session = sessionSignal()
    store.set({ refused: [] })
    for (const one of picked())
      if (canSend(one) && which(one)) patch(one.key, { progress: { kind: 'waiting' } })
    if (running === session) return
    running = session
    try {
      for (;;) {
        const next = picked().find(({ progress }) => progress.kind === 'waiting')
        if (next === undefined || session.aborted) break
        await sendOne(next, session)
      }
    } finally {
      if (running === session) running = undefined
    }
    if (!session.aborted) onSent()
  }

  async function sendOne(one: PickedFile, session: AbortSignal): Promise<void> {
    const { key, category, request, note, unfinishedId } = one
    let id = unfinishedId
    const onId = (given: string) => {
      id = given
    }
    const own = new AbortController()
    controllers.set(key, own)
    const signal = AbortSignal.any([own.signal, session])
    const onProgress = (sent: SendProgress) =>
      patch(key, { progress: { kind: 'sending', ...sent } })
    onProgress({ sentFraction: 0, wait: undefined })
    try {
      const target = {
        documentType: category,
        ...(request && { documentId: request.id }),
        ...(note.trim() && { note: note.trim() }),
      }
      const created = await askBeforeLeaving(
        sendFile({ file: namedFile(one), target, unfinishedId, onId, onProgress, signal }),
      )
      if (session.aborted) return
      await documents.add(created, request)
      const { uploaded } = store.get()
      store.set({ uploaded: [...uploaded, { name: created.name, requestId: request?.id }] })
      update(removeFile(picked(), key))
    } catch (error) {
      if (signal.aborted) return patch(key, { progress: READY })
      const failure = failureOf(error)
      if (failure.remedy === 'other-file') patch(key, { unfinishedId: undefined })
      // The server has the whole file, and only refuses its name.
      if (failure.remedy === 'rename')
        patch(key, { unfinishedId: id, ...(await renamed(one, failure)) })
      else patch(key, failed(failure))
    } finally {
      controllers.delete(key)
    }
  }

  /** Suggests a free name after the server refused the one that was sent. */
  async function renamed(one: PickedFile, failure: Failure): Promise<Partial<PickedFile>> {
    const { key, request } = one
    const listed = await documents.latest()
    const isItsRequest = ({ id }: Document) => id === request?.id
    if (request && listed && !listed.filter(isRequested).some(isItsRequest))
      return { unfinishedId: undefined, ...failed(REQUEST_ANSWERED) }
    const others = removeFile(picked(), key).map(({ name }) => name)
    const taken = [nameOf(one), ...others, ...(listed ?? []).map(({ name }) => name)]
    return { name: freeName(nameOf(one), taken), ...failed(failure) }
  }

  /** The server keeps what it has of the file, unless it is discarded. */
  function stop(key: string, reason?: typeof DISCARDED): void {
    const own = controllers.get(key)
    own?.abort(reason)
    patch(key, { progress: READY, ...(own && { unfinishedId: undefined }) })
  }

  const stopAll = (): void =>
    picked()
      .filter(isUploading)
      .forEach(({ key }) => stop(key))

  /** An unfinished upload has the earlier category and note, so after a change the file is uploaded anew. */
  const change = (key: string, changed: Partial<PickedFile>) =>
    patch(key, { ...changed, unfinishedId: undefined })

  /** Sends the rest of an upload that was not finished. */
  function resume(
    file: File,
    { id, name, documentType, note }: UnfinishedUpload,
    request: Document | undefined,
  ): void {
    const key = crypto.randomUUID()
    const category = documentType ?? OTHER_CATEGORY
    const sending = { note: note ?? '', unfinishedId: id, progress: READY }
    update([...picked(), { key, file, name, category, request, ...sending }])
    void send((added) => added.key === key)
  }

  return {
    add,
    swap,
    send,
    resume,
    discard: (key: string) => stop(key, DISCARDED),
    stopAll,
    choose: (key: string, category: string) => change(key, { category }),
    rename: (key: string, name: string) => patch(key, { name }),
    setNote: (key: string, note: string) => change(key, { note }),
    remove: (key: string) => update(removeFile(picked(), key)),
    /** Sends again the files that failed without a response. */
    retryAfterNoResponse: () => {
      const noResponse = ({ progress }: PickedFile) =>
        progress.kind === 'failed' && progress.noResponse
      if (picked().some(noResponse)) void send(noResponse)
    },
  }
}

const failed = (failure: Failure) => ({ progress: { kind: 'failed', ...failure } as const })

const nameOf = ({ file, name }: PickedFile): string => name.trim() || file.name

function namedFile(one: PickedFile): File {
  const { file } = one
  const name = nameOf(one)
  if (name === file.name) return file
  return new File([file], name, { type: file.type, lastModified: file.lastModified })
}
