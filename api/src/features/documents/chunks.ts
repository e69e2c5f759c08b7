import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CHUNK_BYTES } from '@guidon/contract/resumable-uploads'
import type { Database, Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { inPieces } from '../../platform/in-pieces.ts'
import { appendChunk } from './unfinished.sql.ts'
import type { NewChunk } from './unfinished.sql.ts'
import { findChunk, insertChunk } from './uploads.sql.ts'

export const chunksOf = (size: number): number => Math.ceil(size / CHUNK_BYTES)

/** Binds a chunk to its upload and position: it cannot be decrypted anywhere else. */
export const chunkContext = (uploadId: string, number: number, count: number) =>
  `upload ${uploadId} ${number} of ${count}`

export async function storeChunks(
  tx: Tx,
  sealer: Sealer,
  { id, size }: { id: string; size: number },
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  const count = chunksOf(size)
  let number = 0
  let storing = Promise.resolve()
  try {
    for await (const chunk of inPieces(bytes, CHUNK_BYTES)) {
      // Encrypts this chunk while PostgreSQL stores the one before.
      const sealed = sealer.seal(chunk, chunkContext(id, number, count))
      await storing
      storing = insertChunk(tx, id, number, sealed)
      // The next await throws its error.
      storing.catch(() => {})
      number += 1
    }
  } finally {
    await storing
  }
  if (number !== count) throw new Error('uploads: the file has the wrong size')
}

/** `stored` is how many of the chunks are there; all of them if it is absent. */
export function readChunks(
  db: Database,
  sealer: Sealer,
  upload: { id: string; chunks: number; stored?: number },
): Readable {
  const { id, chunks, stored = chunks } = upload
  async function* bytes() {
    for (let number = 0; number < stored; number += 1) {
      const sealed = await findChunk(db, id, number)
      if (!sealed) throw new Error('uploads: a chunk is missing')
      yield sealer.open(sealed, chunkContext(id, number, chunks))
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
  /** Also stores the last chunk, which may be partial. Returns how many bytes of the file are stored. */
  flush(): Promise<number>
}

/** Continues an unfinished upload. Holds one chunk in memory, and a second one while it is stored. */
export async function chunkWriter(
  { db, sealer }: { db: Database; sealer: Sealer },
  /** `storeHashes`: only an upload that another request can continue needs the hash of each chunk. */
  upload: { id: string; size: number; received: number; storeHashes: boolean },
): Promise<ChunkWriter> {
  const { id, size, storeHashes } = upload
  const count = chunksOf(size)
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let number = Math.floor(upload.received / CHUNK_BYTES)
  let filled = upload.received % CHUNK_BYTES
  let received = upload.received
  if (filled > 0) {
    const partial = await findChunk(db, id, number)
    if (!partial) throw new ConcurrentWrite()
    const opened = sealer.open(partial, chunkContext(id, number, count))
    if (opened.copy(buffer) !== filled) throw new ConcurrentWrite()
  }
  let storing = Promise.resolve()

  const append = async (chunk: NewChunk) => {
    if (!(await appendChunk(db, chunk))) throw new ConcurrentWrite()
  }

  /** Returns when the buffer can be used again. */
  const store = async () => {
    await storing
    const bytes = buffer.subarray(0, filled)
    const [from, to] = [received, number * CHUNK_BYTES + filled]
    const chunk = {
      uploadId: id,
      number,
      from,
      to,
      ...sealer.seal(bytes, chunkContext(id, number, count)),
      sha256: storeHashes ? hash('sha256', bytes, 'buffer') : null,
    }
    received = to
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
        if (filled < CHUNK_BYTES) continue
        await store()
        number += 1
        filled = 0
      }
    },
    flush: async () => {
      if (number * CHUNK_BYTES + filled > received) await store()
      await storing
      return received
    },
  }
}
