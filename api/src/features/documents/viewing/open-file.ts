import type { Readable } from 'node:stream'
import type { Database } from '../../../db/database.ts'
import { KIND_BYTES, kindOf } from '../../../files/checks/kind-of.ts'
import type { Download } from '../../../files/port.ts'
import type { Calls } from '../../feature.ts'
import { findCurrentFile } from './current-file.sql.ts'
import type { CurrentFile } from './current-file.sql.ts'

export type Kind = 'jpeg' | 'pdf' | 'other'

export interface OpenedFile {
  kind: Kind
  /** Undefined if the file store did not say. */
  size: number | undefined
  bytes: AsyncIterable<Buffer>
}

export interface FileSources {
  db: Database
  /** Refuses a file that is not in the owner's folder. */
  download(ownerId: string, fileId: string, signal: AbortSignal): Promise<Download>
  readUpload: Calls['readUpload']
}

/** Opens the newest version and reads its start, which shows that it can be read. */
export async function openFile(
  sources: FileSources,
  target: { ownerId: string; id: string; file: CurrentFile },
  signal: AbortSignal,
): Promise<OpenedFile> {
  const { upload, boxFileId } = target.file
  if (upload) {
    const reading = readWaitingUpload(sources, { ...target, upload }, signal)
    return { ...(await withKind(reading)), size: upload.size }
  }
  const { bytes, size } = await sources.download(target.ownerId, boxFileId!, signal)
  return { ...(await withKind(buffersOf(bytes))), size }
}

/** The worker may store the upload meanwhile and delete its chunks: then the rest comes from the file store. */
async function* readWaitingUpload(
  { db, download, readUpload }: FileSources,
  target: {
    ownerId: string
    id: string
    file: CurrentFile
    upload: NonNullable<CurrentFile['upload']>
  },
  signal: AbortSignal,
) {
  const { ownerId, id, file, upload } = target
  let read = 0
  try {
    for await (const chunk of buffersOf(readUpload(upload))) {
      read += chunk.length
      yield chunk
    }
    return
  } catch (error) {
    const current = await findCurrentFile(db, ownerId, id)
    // The document may have another version meanwhile.
    if (!current?.boxFileId || current.upload || current.sha256 !== file.sha256) throw error
    const { bytes, size } = await download(ownerId, current.boxFileId, signal)
    if (size !== upload.size) throw error
    yield* withoutStart(buffersOf(bytes), read)
  }
}

async function* withoutStart(chunks: AsyncIterable<Buffer>, skip: number) {
  let left = skip
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

const buffersOf = (stream: Readable) => stream as AsyncIterable<Buffer>

async function withKind(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < KIND_BYTES) {
    const next = await iterator.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  async function* bytes() {
    try {
      yield start
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  const kind: Kind = kindOf(start) ?? 'other'
  return { kind, bytes: bytes() }
}
