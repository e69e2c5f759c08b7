import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DOCUMENT_MAX_BYTES,
  fileTooLarge,
  noSpaceForUploads,
  UPLOAD_MAX_BYTES,
  uploadTooSlow,
} from '@guidon/contract/document-refusals'
import type { FastifyRequest } from 'fastify'
import { safeName } from '../../../files/checks/safe-name.ts'
import { isDiskFull } from '../../../files/writable.ts'
import { RefusalError, refuse, refuseInput } from '../../../http/refuse.ts'
import { measurePace } from '../../../platform/transfer-pace.ts'
import type { PaceLimits } from '../../../platform/transfer-pace.ts'
import type { Admission, Admitted, Sender } from './admission.ts'
import type { EarlyChunks, StoreEarly } from './early-chunks.ts'

export interface Received {
  path: string
  name: string
  size: number
  sha256: Buffer
  /** The unfinished upload that has stored the bytes. */
  unfinishedId?: string | undefined
  /** The other fields of the form. */
  fields: Record<string, string>
}

export interface Receiving {
  /** The folder for files that are being checked. */
  directory: string
  admission: Admission
  pace: PaceLimits
  storeEarly?: StoreEarly
}

const FILE_FIELD = 'file'
/** Enough for a note in any language, before it is normalized. */
const FIELD_MAX_BYTES = 8 * 1024
const FIELDS_MAX = 4
const DISK_FULL_RETRY_SECONDS = 30
/** The size of one write to the disk, because each write has a fixed cost. */
const WRITE_BYTES = 512 * 1024

const LIMITS = {
  fileSize: DOCUMENT_MAX_BYTES,
  files: 1,
  fields: FIELDS_MAX,
  parts: FIELDS_MAX + 1,
  fieldSize: FIELD_MAX_BYTES,
}

/** The request cannot be used. Errors of the parser of forms become this one, because they have no status. */
export class BadRequest extends Error {
  override name = 'BadRequest'
  readonly statusCode = 400
}

/** Writes the file of a multipart form to disk and hashes it. Deletes it when `use` is done. */
export async function withReceived<T>(
  request: FastifyRequest,
  sender: Sender,
  { directory, admission, pace, storeEarly }: Receiving,
  use: (received: Received) => Promise<T>,
): Promise<T> {
  const declared = request.headers['content-length']
  // Without a length, expect the largest upload.
  const size = Number(declared ?? UPLOAD_MAX_BYTES)
  if (size > UPLOAD_MAX_BYTES) throw refuse(fileTooLarge)
  const admitted = await admission.admit(sender, { bytes: size, isNew: true })
  let early: EarlyChunks | undefined
  let failure: unknown
  try {
    if (declared !== undefined) early = await storeEarly?.(sender.userId, size)
    return await withPath(directory, async (path) => {
      // Reading an aborted request would wait forever for its end.
      if (request.raw.destroyed && !request.raw.complete)
        throw new BadRequest('the client has disconnected')
      const received = await withLimits(request, admitted, pace, () =>
        receive(request, path, admitted, early),
      )
      return use(received)
    })
  } catch (error) {
    failure = error
    throw error
  } finally {
    // Without effect once they belong to a document. If this fails, they expire.
    await early?.discard().catch(() => {})
    await admitted.release(failure)
  }
}

/** A path for a file that nobody else can read. Deletes the file when `use` is done. */
export async function withPath<T>(
  directory: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(directory, 'upload-')).catch(throwStorageError)
  try {
    return await use(join(folder, 'file'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Stops reading when the request is too large or too slow. */
async function withLimits<T>(
  { raw }: FastifyRequest,
  admitted: Admitted,
  limits: PaceLimits,
  read: () => Promise<T>,
): Promise<T> {
  // The parser stops as if the connection had failed; the connection still carries the response.
  const abort = (refusal: RefusalError) => void raw.emit('error', refusal)
  const pace = measurePace(limits, () => abort(refuse(uploadTooSlow)))
  admitted.startReceiving(pace.rate, abort)
  let total = 0
  const count = (chunk: Buffer) => {
    total += chunk.length
    pace.add(chunk.length)
    if (total > UPLOAD_MAX_BYTES) abort(refuse(fileTooLarge))
  }
  const reading = read()
  // After the listener of the parser, because the first listener starts the flow.
  raw.on('data', count)
  try {
    return await reading
  } finally {
    raw.off('data', count)
    pace.stop()
    admitted.endReceiving()
  }
}

async function receive(
  request: FastifyRequest,
  path: string,
  admitted: Admitted,
  early: EarlyChunks | undefined,
): Promise<Received> {
  const fields: Record<string, string> = {}
  let file: Omit<Received, 'fields' | 'path'> | undefined
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else if (part.fieldname !== FILE_FIELD) throw noFile()
      else {
        part.file.once('limit', () => request.raw.emit('error', refuse(fileTooLarge)))
        const written = await write(part.file, path, admitted, early)
        const unfinishedId = await early?.end(written.size).catch(throwStorageError)
        file = { name: safeName(part.filename), ...written, unfinishedId }
      }
    }
  } catch (error) {
    throw asFormError(error)
  }
  if (!file) throw noFile()
  return { path, fields, ...file }
}

const noFile = () => refuseInput([{ path: [FILE_FIELD], message: 'Please choose a file.' }])

/** Writes the bytes to the disk and to `early` while the next ones arrive. Returns their size and hash. */
export async function write(
  bytes: AsyncIterable<Buffer>,
  path: string,
  admitted: Pick<Admitted, 'addWritten'>,
  early?: Pick<EarlyChunks, 'add'>,
) {
  const sha256 = createHash('sha256')
  let size = 0
  let batch: Buffer[] = []
  let batched = 0
  let writing = Promise.resolve()
  const handle = await open(path, 'wx', 0o600).catch(throwStorageError)
  const writeBatch = async () => {
    await writing
    const written = batched
    writing = handle
      .writeFile(Buffer.concat(batch, batched))
      .then(() => admitted.addWritten(written), throwStorageError)
    // The next call waits for it and throws its error.
    writing.catch(() => {})
    batch = []
    batched = 0
  }
  try {
    for await (const piece of bytes) {
      sha256.update(piece)
      size += piece.length
      batch.push(piece)
      batched += piece.length
      if (batched >= WRITE_BYTES) await writeBatch()
      await early?.add(piece).catch(throwStorageError)
    }
    await writeBatch()
    await writing
  } finally {
    await writing.catch(() => {})
    await handle.close()
  }
  return { size, sha256: sha256.digest() }
}

class StorageFailed extends Error {
  override name = 'StorageFailed'
}

/** A full disk is a refusal; any other failure of the disk or the database is an error. */
function throwStorageError(error: unknown): never {
  if (isDiskFull(error))
    throw refuse(noSpaceForUploads, { retryAfterSeconds: DISK_FULL_RETRY_SECONDS })
  throw new StorageFailed('the upload cannot be stored', { cause: error })
}

/** An error that is not ours and has no status comes from the parser. */
function asFormError(error: unknown): unknown {
  if (error instanceof RefusalError || error instanceof StorageFailed) return error
  if (error instanceof Error && 'statusCode' in error) return error
  return new BadRequest('the form cannot be read', { cause: error })
}
