import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { chunkContext, chunksOf } from './chunks.ts'
import { lockChunksOfKeys, updateChunk } from './uploads.sql.ts'

/** Chunks of one megabyte. */
const BATCH = 20

export async function reencryptChunks(tx: Tx, sealer: Sealer): Promise<number> {
  const locked = await lockChunksOfKeys(tx, sealer.olderKeyIds, BATCH)
  for (const { uploadId, number, chunks, size, ...sealed } of locked) {
    const context = chunkContext(uploadId, number, chunks ?? chunksOf(size!))
    const resealed = sealer.seal(sealer.open(sealed, context), context)
    await updateChunk(tx, { uploadId, number }, resealed)
  }
  return locked.length
}
