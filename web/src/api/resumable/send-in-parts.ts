import type { Document } from '@guidon/contract/documents'
import type { Refusal } from '@guidon/contract/refusal'
import {
  appendToUpload,
  CHUNK_BYTES,
  getUnfinishedUploads,
  PART_MAX_BYTES,
  type UnfinishedUpload,
  type UploadMetadata,
} from '@guidon/contract/resumable-uploads'
import { CallFailure } from '../call-failure.ts'
import { call } from '../call.ts'
import { isGone } from '../is-gone.ts'
import { DISCARDED } from '../upload-signals.ts'
import { discard } from './discard.ts'
import { append, create, finish, readOffset, unexpectedResponse } from './requests.ts'
import { isAboutOffset, isRepeatedDefect, isTemporary, pauseAfter } from './retry.ts'
import { fileGone, isSameFile } from './same-file.ts'
import { lockUpload } from './upload-lock.ts'

export interface ResumableUpload {
  file: File
  /** Without `filename`, which is taken from the file. */
  metadata: UploadMetadata
  /** An upload of this file that was not finished. */
  id?: string | undefined
  /** Whether this tab sends, has finished or has discarded that upload, so that it must not be continued. */
  isOwn: (id: string) => boolean
  onId: (id: string) => void
  /**
   * The fraction of the file, from 0 to 1, which is never less than before; at 1 the server checks the file. `failure`:
   * why it waits at the moment.
   */
  onProgress: (share: number, failure?: CallFailure) => void
  /** The user has discarded the upload, but it could not be deleted. */
  onNotDeleted: (id: string) => void
  signal: AbortSignal
}

const sentElsewhere: Refusal = {
  status: 429,
  code: 'sent_elsewhere',
  message: 'This file is being uploaded in another window or on another device.',
}

/** Sends a file in parts. After a failure it continues after what the server has, until the server refuses the file. */
export async function sendInParts(upload: ResumableUpload): Promise<Document> {
  const { file, signal } = upload
  const metadata = { filename: file.name, ...upload.metadata }
  let { id } = upload
  let unlock: (() => Promise<void>) | undefined
  /** How many bytes the server has. Unknown after a failure. */
  let offset: number | undefined
  /** How many bytes of the upload are surely of this file. */
  let knownBytes = 0
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
      unlock = found.unlock
      knownBytes = found.offset
      setOffset(found.offset)
      upload.onId(id)
    }
    unlock ??= await lockUpload(id)
    if (!unlock) throw new CallFailure(sentElsewhere)
    const attempt = { repeated: failures > 0, signal }
    if (offset === undefined) {
      const bytes = await readOffset(id, attempt)
      setOffset(bytes > knownBytes ? await compare(id, bytes) : bytes)
    }
    const start = offset!
    if (start === file.size) {
      if (failures === 0) report(start)
      return finish(id, file.name, attempt)
    }
    const part = file.slice(start, start + PART_MAX_BYTES)
    knownBytes = Math.max(knownBytes, start + part.size)
    const onProgress = (share: number) => report(start + Math.floor(share * (part.size - 1)))
    const next = await append(id, start, part, { ...attempt, onProgress })
    if (next <= start || next > file.size) throw unexpectedResponse(appendToUpload)
    setOffset(next)
    return undefined
  }

  /** Another tab or device may have sent these bytes, of another file. Returns how many bytes are of this one. */
  async function compare(given: string, bytes: number): Promise<number> {
    const unfinished = await call(getUnfinishedUploads, { signal })
    const one = unfinished.find((listed) => listed.id === given)
    // `finishUpload` returns the document of an upload that was finished elsewhere.
    if (!one && bytes === file.size) return bytes
    if (!one || !(await isSameFile(file, one))) throw new CallFailure(sentElsewhere)
    knownBytes = one.offset
    return one.offset
  }

  /** Returns when the next step may be tried. */
  async function recover(error: unknown): Promise<undefined> {
    signal.throwIfAborted()
    // A repeated `finishUpload` returns the document, also if the response was lost.
    const complete = offset === file.size
    if (!complete || isAboutOffset(error)) offset = undefined
    if (isGone(error) && !complete && !restarted) {
      // It has expired, or was removed in another tab or on another device.
      restarted = true
      await unlock?.()
      unlock = undefined
      id = undefined
      return undefined
    }
    if (error instanceof DOMException) throw new CallFailure(fileGone)
    if (!isTemporary(error)) throw error
    if (!complete) await requireReadable(file.slice(mostBytes, mostBytes + CHUNK_BYTES))
    failures += 1
    if (isRepeatedDefect(error, failures)) throw error
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
    if (signal.reason === DISCARDED && id !== undefined) void discardFor(upload, id)
    throw error
  } finally {
    await unlock?.()
  }
}

async function discardFor({ onNotDeleted }: ResumableUpload, id: string): Promise<void> {
  if (!(await discard(id))) onNotDeleted(id)
}

interface Found {
  id: string
  offset: number
  unlock: () => Promise<void>
}

/**
 * An unfinished upload of the same file is continued: the response to its creation may have been lost, or the user
 * chose the file again instead of resuming it from the list of unfinished uploads.
 */
async function findOrCreate(upload: ResumableUpload, metadata: UploadMetadata): Promise<Found> {
  const { file, isOwn, signal } = upload
  const unfinished = await call(getUnfinishedUploads, { signal })
  for (const one of unfinished) {
    if (isOwn(one.id) || !hasMetadata(one, metadata)) continue
    if (!(await isSameFile(file, one))) continue
    const unlock = await lockUpload(one.id)
    if (unlock) return { id: one.id, offset: one.offset, unlock }
  }
  const id = await createFor(upload, metadata)
  const unlock = await lockUpload(id)
  if (!unlock) throw new CallFailure(sentElsewhere)
  return { id, offset: 0, unlock }
}

/** On abort, the request still runs to its end: only its response has the id with which to delete the new upload. */
async function createFor(upload: ResumableUpload, metadata: UploadMetadata): Promise<string> {
  const { file, signal } = upload
  signal.throwIfAborted()
  const creating = create(file.size, metadata)
  try {
    return await Promise.race([creating, abortOf(signal)])
  } catch (error) {
    if (signal.reason === DISCARDED) creating.then((id) => discardFor(upload, id)).catch(() => {})
    throw error
  }
}

const abortOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

const hasMetadata = (one: UnfinishedUpload, metadata: UploadMetadata): boolean =>
  lettersOf(one.name) === lettersOf(metadata.filename ?? '') &&
  one.documentType === storedText(metadata.documentType) &&
  one.documentId === (metadata.documentId ?? null) &&
  one.replaces === (metadata.replaces ?? null) &&
  one.note === storedText(metadata.note)

/** The server trims texts and composes their characters. */
const storedText = (text: string | undefined): string | null => text?.trim().normalize() || null

const NAME_COMPARED = 60

/** The server removes and shortens what could harm a file system, but no letters and digits at the start. */
const lettersOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N}]/gu, '').slice(0, NAME_COMPARED)

/** A file that was moved or deleted after it was chosen would look like a lost connection. */
async function requireReadable(part: Blob): Promise<void> {
  try {
    await part.arrayBuffer()
  } catch {
    throw new CallFailure(fileGone)
  }
}
