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
import { safeName } from '../../files/checks/safe-name.ts'
import { isDiskFull } from '../../files/writable.ts'
import { RefusalError, refuse, refuseInput } from '../../http/refuse.ts'
import { measurePace } from '../../platform/transfer-pace.ts'
import type { PaceLimits } from '../../platform/transfer-pace.ts'
import type { Admission, Admitted } from './admission.ts'

export interface Received {
  path: string
  name: string
  size: number
  sha1: Buffer
  sha256: Buffer
  /** The other fields of the form. */
  fields: Record<string, string>
}

export interface Receiving {
  /** The folder for files that are being checked. */
  directory: string
  admission: Admission
  pace: PaceLimits
}

const FILE_FIELD = 'file'
const FIELD_MAX_BYTES = 1024
const FIELDS_MAX = 4
const DISK_FULL_RETRY_SECONDS = 30

const LIMITS = {
  fileSize: DOCUMENT_MAX_BYTES,
  files: 1,
  fields: FIELDS_MAX,
  parts: FIELDS_MAX + 1,
  fieldSize: FIELD_MAX_BYTES,
}

/** Errors of the parser have no status, but the client sent a wrong form. */
class BrokenForm extends Error {
  override name = 'BrokenForm'
  readonly statusCode = 400
}

/** Writes the file of a multipart form to disk and hashes it. Deletes it when `use` is done. */
export async function withReceived<T>(
  request: FastifyRequest,
  userId: string,
  { directory, admission, pace }: Receiving,
  use: (received: Received) => Promise<T>,
): Promise<T> {
  // Without a length, expect the largest upload.
  const size = Number(request.headers['content-length'] ?? UPLOAD_MAX_BYTES)
  if (size > UPLOAD_MAX_BYTES) throw refuse(fileTooLarge)
  const admitted = await admission.admit(userId, size)
  try {
    const folder = await mkdtemp(join(directory, 'upload-')).catch(throwStorageError)
    try {
      // Reading an aborted request would wait forever for its end.
      if (request.raw.destroyed && !request.raw.complete)
        throw new BrokenForm('the client has disconnected')
      const received = await withLimits(request, admitted, pace, () =>
        receive(request, join(folder, 'file'), admitted),
      )
      return await use(received)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    admitted.release()
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
): Promise<Received> {
  const fields: Record<string, string> = {}
  let file: Omit<Received, 'fields' | 'path'> | undefined
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else if (part.fieldname !== FILE_FIELD) throw noFile()
      else {
        part.file.once('limit', () => request.raw.emit('error', refuse(fileTooLarge)))
        file = { name: safeName(part.filename), ...(await write(part.file, path, admitted)) }
      }
    }
  } catch (error) {
    throw asFormError(error)
  }
  if (!file) throw noFile()
  return { path, fields, ...file }
}

const noFile = () => refuseInput([{ path: [FILE_FIELD], message: 'Please choose a file.' }])

async function write(bytes: AsyncIterable<Buffer>, path: string, admitted: Admitted) {
  const sha1 = createHash('sha1')
  const sha256 = createHash('sha256')
  let size = 0
  const handle = await open(path, 'wx', 0o600).catch(throwStorageError)
  try {
    for await (const chunk of bytes) {
      sha1.update(chunk)
      sha256.update(chunk)
      size += chunk.length
      await handle.writeFile(chunk).catch(throwStorageError)
      admitted.addWritten(chunk.length)
    }
  } finally {
    await handle.close()
  }
  return { size, sha1: sha1.digest(), sha256: sha256.digest() }
}

class StorageFailed extends Error {
  override name = 'StorageFailed'
}

/** A full disk is a refusal; any other failure of the disk is an error. */
function throwStorageError(error: unknown): never {
  if (isDiskFull(error))
    throw refuse(noSpaceForUploads, { retryAfterSeconds: DISK_FULL_RETRY_SECONDS })
  throw new StorageFailed('the upload folder cannot be written', { cause: error })
}

/** An error that is not ours and has no status comes from the parser. */
function asFormError(error: unknown): unknown {
  if (error instanceof RefusalError || error instanceof StorageFailed) return error
  if (error instanceof Error && 'statusCode' in error) return error
  return new BrokenForm('the form cannot be read', { cause: error })
}
