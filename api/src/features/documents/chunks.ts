import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Database, Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { findChunk, insertChunk } from './uploads.sql.ts'

const CHUNK_BYTES = 1024 * 1024

export const chunksOf = (size: number): number => Math.ceil(size / CHUNK_BYTES)

/** Binds a chunk to its upload and position: it cannot be decrypted anywhere else. */
export const chunkContext = (uploadId: string, number: number, count: number) =>
  `upload ${uploadId} ${number} of ${count}`

export async function storeChunks(
  tx: Tx,
  sealer: Sealer,
  uploadId: string,
  path: string,
): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const count = chunksOf(size)
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    const sealedChunk = async (number: number) => {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, number * CHUNK_BYTES)
      return sealer.seal(buffer.subarray(0, bytesRead), chunkContext(uploadId, number, count))
    }
    // Encrypts the next chunk while PostgreSQL stores this one.
    let sealed = count > 0 ? await sealedChunk(0) : undefined
    for (let number = 0; sealed; number += 1) {
      ;[sealed] = await Promise.all([
        number + 1 < count ? sealedChunk(number + 1) : undefined,
        insertChunk(tx, uploadId, number, sealed),
      ])
    }
  } finally {
    await file.close()
  }
}

export function readChunks(
  db: Database,
  sealer: Sealer,
  upload: { id: string; chunks: number },
): Readable {
  async function* bytes() {
    for (let number = 0; number < upload.chunks; number += 1) {
      const sealed = await findChunk(db, upload.id, number)
      if (!sealed) throw new Error('uploads: a chunk is missing')
      yield sealer.open(sealed, chunkContext(upload.id, number, upload.chunks))
    }
  }
  return Readable.from(bytes(), { objectMode: false })
}
