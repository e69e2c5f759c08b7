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
import type { Admission, Admitted } from './admission.ts'
import { measurePace } from './pace.ts'
import type { PaceLimits } from './pace.ts'

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
  /** Where files are while they are checked. */
  directory: string
  admission: Admission
  pace: PaceLimits
}

const FILE_FIELD = 'file'
const FIELD_MAX_BYTES = 1024
const FIELDS_MAX = 4
const NO_ROOM_RETRY_SECONDS = 30

const LIMITS = {
  fileSize: DOCUMENT_MAX_BYTES,
  files: 1,
  fields: FIELDS_MAX,
  parts: FIELDS_MAX + 1,
  fieldSize: FIELD_MAX_BYTES,
}

/** The parser's own errors have no status; the sender's form is wrong, not this process. */
class BrokenForm extends Error {
  override name = 'BrokenForm'
  readonly statusCode = 400
}

/** The file of a multipart form, on disk, hashed on the way; gone again when `use` is done. */
export async function withReceived<T>(
  request: FastifyRequest,
  userId: string,
  { directory, admission, pace }: Receiving,
  use: (received: Received) => Promise<T>,
): Promise<T> {
  // Without a length it may become as long as any.
  const size = Number(request.headers['content-length'] ?? UPLOAD_MAX_BYTES)
  if (size > UPLOAD_MAX_BYTES) throw refuse(fileTooLarge)
  const admitted = await admission.enter(userId, size)
  try {
    const folder = await mkdtemp(join(directory, 'upload-')).catch(asRefusal)
    try {
      // Whatever reads a request that is gone already waits for an end that never comes.
      if (request.raw.destroyed && !request.raw.complete) throw new BrokenForm('the sender is gone')
      const received = await bounded(request, admitted, pace, () =>
        receive(request, join(folder, 'file'), admitted),
      )
      return await use(received)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    admitted.leave()
  }
}

/** Ends the reading when the whole of the request is too long or too slow. */
async function bounded<T>(
  { raw }: FastifyRequest,
  admitted: Admitted,
  limits: PaceLimits,
  read: () => Promise<T>,
): Promise<T> {
  // As if the connection had failed, so that the parser lets go; the connection itself is still to be answered on.
  const end = (refusal: RefusalError) => void raw.emit('error', refusal)
  const pace = measurePace(limits, () => end(refuse(uploadTooSlow)))
  admitted.arriving(pace.rate, end)
  let total = 0
  const count = (chunk: Buffer) => {
    total += chunk.length
    pace.add(chunk.length)
    if (total > UPLOAD_MAX_BYTES) end(refuse(fileTooLarge))
  }
  const reading = read()
  // After the parser's own listener: the first to listen starts the flow.
  raw.on('data', count)
  try {
    return await reading
  } finally {
    raw.off('data', count)
    pace.stop()
    admitted.arrived()
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
  const handle = await open(path, 'wx', 0o600).catch(asRefusal)
  try {
    for await (const chunk of bytes) {
      sha1.update(chunk)
      sha256.update(chunk)
      size += chunk.length
      await handle.writeFile(chunk).catch(asRefusal)
      admitted.wrote(chunk.length)
    }
  } finally {
    await handle.close()
  }
  return { size, sha1: sha1.digest(), sha256: sha256.digest() }
}

class StorageFailed extends Error {
  override name = 'StorageFailed'
}

/** Of a failure of the disk: a full one is foreseen. */
function asRefusal(error: unknown): never {
  if (isDiskFull(error))
    throw refuse(noSpaceForUploads, { retryAfterSeconds: NO_ROOM_RETRY_SECONDS })
  throw new StorageFailed('the upload folder cannot be written', { cause: error })
}

/** Whatever is not ours, and says no status, comes from the parser. */
function asFormError(error: unknown): unknown {
  if (error instanceof RefusalError || error instanceof StorageFailed) return error
  if (error instanceof Error && 'statusCode' in error) return error
  return new BrokenForm('the form cannot be read', { cause: error })
}
