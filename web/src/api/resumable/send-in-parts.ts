import { fileUnreadable } from '@guidon/contract/document-refusals'
import type { Document } from '@guidon/contract/documents'
import {
  getUnfinishedUploads,
  PART_MAX_BYTES,
  type UnfinishedUpload,
  type UploadMetadata,
} from '@guidon/contract/resumable-uploads'
import { CallFailure } from '../call-failure.ts'
import { call } from '../call.ts'
import { DISCARDED } from '../send-bytes.ts'
import { append, create, deleteUnfinished, finish, readOffset } from './requests.ts'
import { isAboutOffset, isTemporary, pauseAfter } from './retry.ts'
import { isSameFile } from './same-file.ts'

export interface ResumableUpload {
  file: File
  /** Beside the name of the file. */
  metadata: UploadMetadata
  /** An upload of this file that was not finished. */
  id?: string | undefined
  /** Whether this tab is sending that upload. */
  isRunning: (id: string) => boolean
  onId: (id: string) => void
  /**
   * The fraction of the file, from 0 to 1, which is never less than before; at 1 the server checks the file. `failure`:
   * why it waits at the moment.
   */
  onProgress: (share: number, failure?: CallFailure) => void
  signal: AbortSignal
}

/** Sends a file in parts. After a failure it continues after what the server has, until the server refuses the file. */
export async function sendInParts(upload: ResumableUpload): Promise<Document> {
  const { file, signal } = upload
  const metadata = { filename: file.name, ...upload.metadata }
  let { id } = upload
  /** How many bytes the server has. Unknown after a failure. */
  let offset: number | undefined
  let mostBytes = 0
  let failures = 0
  let restarted = false
  let shown = 0

  function report(bytes: number, failure?: CallFailure): void {
    // Less than 1 until the server has everything.
    const share = bytes === file.size ? 1 : Math.min(bytes / file.size, 0.999)
    shown = Math.max(shown, share)
    upload.onProgress(shown, failure)
  }

  function setOffset(bytes: number): void {
    if (bytes > mostBytes) failures = 0
    mostBytes = Math.max(mostBytes, bytes)
    offset = bytes
  }

  async function nextStep(): Promise<Document | undefined> {
    if (id === undefined) {
      const found = await findOrCreate(upload, metadata)
      id = found.id
      setOffset(found.offset)
      upload.onId(id)
    }
    if (offset === undefined) setOffset(await readOffset(id, signal))
    const start = offset!
    if (start === file.size) {
      if (failures === 0) report(start)
      return finish(id, signal)
    }
    const part = file.slice(start, start + PART_MAX_BYTES)
    const onProgress = (share: number) => report(start + Math.floor(share * (part.size - 1)))
    setOffset(await append(id, start, part, { onProgress, signal }))
    return undefined
  }

  /** Returns when the next step may be tried. */
  async function recover(error: unknown): Promise<undefined> {
    signal.throwIfAborted()
    // A repeated `finishUpload` returns the document, also if the response was lost.
    const complete = offset === file.size
    if (!complete || isAboutOffset(error)) offset = undefined
    if (isGone(error) && !complete && id !== undefined && !restarted) {
      // It has expired, or was removed on another device.
      restarted = true
      id = undefined
      return undefined
    }
    if (!isTemporary(error)) throw error
    await requireReadable(file)
    failures += 1
    // A short gap is not worth a message.
    if (failures > 1 && !isAboutOffset(error)) report(0, error)
    await pauseAfter(failures, error, signal)
    return undefined
  }

  try {
    for (;;) {
      const document = await nextStep().catch(recover)
      if (document) return document
    }
  } catch (error) {
    // If this fails, the server deletes it a day later.
    if (signal.reason === DISCARDED && id !== undefined) deleteUnfinished(id).catch(() => {})
    throw error
  }
}

/**
 * An unfinished upload of the same file is continued: the response to its creation may have been lost, or the user
 * chooses the file again without the list of unfinished uploads.
 */
async function findOrCreate(
  { file, isRunning, signal }: ResumableUpload,
  metadata: UploadMetadata,
): Promise<Pick<UnfinishedUpload, 'id' | 'offset'>> {
  const unfinished = await call(getUnfinishedUploads, { signal })
  for (const one of unfinished) {
    if (isRunning(one.id) || !hasMetadata(one, metadata)) continue
    if (await isSameFile(file, one)) return one
  }
  return { id: await create(file.size, metadata, signal), offset: 0 }
}

const hasMetadata = (one: UnfinishedUpload, metadata: UploadMetadata): boolean =>
  one.name === metadata.filename &&
  one.documentType === (metadata.documentType ?? null) &&
  one.documentId === (metadata.documentId ?? null) &&
  one.replaces === (metadata.replaces ?? null) &&
  one.note === (metadata.note ?? null)

const isGone = (error: unknown): boolean => error instanceof CallFailure && error.status === 404

/** A file that was moved or deleted after it was chosen would look like a lost connection. */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new CallFailure(fileUnreadable)
  }
}
