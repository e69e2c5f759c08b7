import type { Tx } from '../../../db/database.ts'
import type { Sealer } from '../../../platform/crypto/sealer.ts'
import { chunkContext } from '../receive/chunks.ts'
import { lockChunksOfKeys, updateChunk } from '../uploads.sql.ts'

/** Chunks of up to one megabyte. */
const BATCH = 20

export async function reencryptChunks(tx: Tx, sealer: Sealer): Promise<number> {
  const locked = await lockChunksOfKeys(tx, sealer.olderKeyIds, BATCH)
  for (const chunk of locked) {
    const context = chunkContext(chunk, chunk.start)
    const resealed = sealer.seal(sealer.open(chunk, context), context)
    await updateChunk(tx, chunk, resealed)
  }
  return locked.length
}
