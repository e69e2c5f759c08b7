import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CHUNK_BYTES, PART_MIN_BYTES } from '@guidon/contract/resumable-uploads'
import type { Database, Tx } from '../../../db/database.ts'
import type { Sealer } from '../../../platform/crypto/sealer.ts'
import { inPieces } from '../../../platform/in-pieces.ts'
import { appendChunk } from '../resumable/unfinished.sql.ts'
import type { NewChunk } from '../resumable/unfinished.sql.ts'
import { findChunks, insertChunk } from '../uploads.sql.ts'

export interface StoredFile {
  /** Of the upload, finished or not. */
  id: string
  /** The account of the document. */
  userId: string
  size: number
}

/** Of a file. Its size may be known only nearly when its first chunk is stored. */
export const megabytesOf = (size: number): number => Math.ceil(size / CHUNK_BYTES)

/** Binds a chunk to its account, upload and position: it cannot be decrypted anywhere else. */
export const chunkContext = ({ id, userId, size }: StoredFile, start: number) =>
  `account ${userId} upload ${id} from ${start} of ${megabytesOf(size)} MiB`

export async function storeChunks(
  tx: Tx,
  sealer: Sealer,
  file: StoredFile,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  let start = 0
  let storing = Promise.resolve()
  try {
    for await (const chunk of inPieces(bytes, CHUNK_BYTES)) {
      // Encrypts this chunk while PostgreSQL stores the one before.
      const sealed = sealer.seal(chunk, chunkContext(file, start))
      await storing
      storing = insertChunk(tx, file.id, start, sealed)
      // The next await throws its error.
      storing.catch(() => {})
      start += chunk.length
    }
  } finally {
    await storing
  }
  if (start !== file.size) throw new Error('uploads: the file has the wrong size')
}

/** `received`: how many bytes are stored; all of them if it is absent. */
export function readChunks(
  db: Database,
  sealer: Sealer,
  file: StoredFile & { received?: number },
): Readable {
  const { id, size, received = size } = file
  async function* bytes() {
    for (let start = 0; start < received;) {
      const found = await findChunks(db, id, { from: start, below: start + CHUNK_BYTES })
      for (const chunk of found) {
        if (chunk.start !== start) break
        const opened = sealer.open(chunk, chunkContext(file, start))
        yield opened
        start += opened.length
      }
      if (found[0]?.start === undefined || start <= found[0].start)
        throw new Error('uploads: a chunk is missing')
    }
  }
  return Readable.from(bytes(), { objectMode: false })
}

/** Another request has stored something meanwhile, or the upload is gone. */
export class ConcurrentWrite extends Error {
  override name = 'ConcurrentWrite'
}

export interface ChunkWriter {
  /** Stores every chunk that is full, while the next one arrives. */
  add(bytes: Buffer): Promise<void>
  /**
   * Also stores the last chunk, unless so little was added that storing it would cost more than sending it again.
   * Returns how many bytes of the file are stored.
   */
  flush(): Promise<number>
}

/** Continues an unfinished upload. Holds one chunk in memory, and a second one while it is stored. */
export function chunkWriter(
  { db, sealer }: { db: Database; sealer: Sealer },
  /** `storeHashes`: only an upload that another request can continue needs the hash of each chunk. */
  upload: StoredFile & { received: number; storeHashes: boolean },
): ChunkWriter {
  const { id, size, storeHashes } = upload
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let start = upload.received
  let filled = 0
  let storing = Promise.resolve()

  const append = async (chunk: NewChunk) => {
    if (!(await appendChunk(db, chunk))) throw new ConcurrentWrite()
  }

  /** Returns when the buffer can be used again. */
  const store = async () => {
    await storing
    const bytes = buffer.subarray(0, filled)
    const chunk = {
      uploadId: id,
      start,
      end: start + filled,
      ...sealer.seal(bytes, chunkContext(upload, start)),
      sha256: storeHashes ? hash('sha256', bytes, 'buffer') : null,
    }
    start += filled
    filled = 0
    storing = append(chunk)
    // The next call waits for it and throws its error.
    storing.catch(() => {})
  }

  return {
    add: async (bytes) => {
      for (let at = 0; at < bytes.length;) {
        const taken = bytes.copy(buffer, filled, at)
        at += taken
        filled += taken
        if (filled === CHUNK_BYTES) await store()
      }
    },
    flush: async () => {
      const end = start + filled
      const isWorthStoring = end - upload.received >= PART_MIN_BYTES || end >= size
      if (filled > 0 && isWorthStoring) await store()
      await storing
      return start
    },
  }
}
