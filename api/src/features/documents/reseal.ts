import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { place } from './chunks.ts'
import { lockChunksOfKeys, setChunkSeal } from './uploads.sql.ts'

/** A chunk is a megabyte. */
const BATCH = 20

/** Seals some chunks of waiting uploads with the first key that an older one sealed. Answers how many. */
export async function resealChunks(tx: Tx, sealer: Sealer): Promise<number> {
  const held = await lockChunksOfKeys(tx, sealer.olderKeyIds, BATCH)
  for (const { uploadId, number, chunks, ...sealed } of held) {
    const where = place(uploadId, number, chunks)
    await setChunkSeal(tx, { uploadId, number }, sealer.seal(sealer.open(sealed, where), where))
  }
  return held.length
}
