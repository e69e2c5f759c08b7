import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DOCUMENT_MAX_BYTES, fileTooLarge } from '@guidon/contract/document-refusals'
import type { FastifyRequest } from 'fastify'
import { safeName } from '../../files/checks/safe-name.ts'
import { refuse, refuseInput } from '../../http/refuse.ts'

export interface Received {
  path: string
  name: string
  size: number
  sha1: Buffer
  sha256: Buffer
  /** The other fields of the form. */
  fields: Record<string, string>
}

const FIELD_MAX_BYTES = 1024
const FIELDS_MAX = 4

/** The file of a multipart form, on disk, hashed on the way; gone again when `use` is done. */
export async function withReceived<T>(
  request: FastifyRequest,
  directory: string,
  use: (received: Received) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(directory, 'upload-'))
  try {
    return await use(await receive(request, join(folder, 'file')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function receive(request: FastifyRequest, path: string): Promise<Received> {
  const limits = {
    fileSize: DOCUMENT_MAX_BYTES,
    files: 1,
    fields: FIELDS_MAX,
    fieldSize: FIELD_MAX_BYTES,
  }
  const fields: Record<string, string> = {}
  let file: Omit<Received, 'fields' | 'path'> | undefined
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value)
    else {
      file = { name: safeName(part.filename), ...(await write(part.file, path)) }
      if (part.file.truncated) throw refuse(fileTooLarge)
    }
  }
  if (!file) throw refuseInput([{ path: ['file'], message: 'Please choose a file.' }])
  return { path, fields, ...file }
}

async function write(bytes: AsyncIterable<Buffer>, path: string) {
  const sha1 = createHash('sha1')
  const sha256 = createHash('sha256')
  let size = 0
  let failure: Error | undefined
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) {
      // To the end also when the disk is full: who leaves a form in the middle is not heard any more.
      if (failure !== undefined) continue
      sha1.update(chunk)
      sha256.update(chunk)
      size += chunk.length
      failure = await handle.writeFile(chunk).then(
        () => undefined,
        (error: Error) => error,
      )
    }
  } finally {
    await handle.close()
  }
  if (failure !== undefined) throw failure
  return { size, sha1: sha1.digest(), sha256: sha256.digest() }
}
