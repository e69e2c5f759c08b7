import { UPLOAD_MINUTES_MAX } from '@guidon/contract/limits'
import { CHUNK_BYTES } from '@guidon/contract/resumable-uploads'
import type { Database } from '../../../db/database.ts'
import { KIND_BYTES, kindOf } from '../../../files/checks/kind-of.ts'
import type { Sealer } from '../../../platform/crypto/sealer.ts'
import { deleteUnfinished, insertSingleRequestUpload } from '../resumable/unfinished.sql.ts'
import { chunkWriter, megabytesOf } from './chunks.ts'

/** What a usual form has around its file. */
const FORM_BYTES = 512
/** A smaller file is stored as fast with its document. */
const MIN_BYTES = 2 * CHUNK_BYTES
/** Longer than receiving and checking a file can take. */
const EXPIRY_MINUTES = UPLOAD_MINUTES_MAX + 15

/** Stores a file in chunks while it arrives, as an unfinished upload. */
export interface EarlyChunks {
  add(bytes: Buffer): Promise<void>
  /** Returns the id of the unfinished upload; undefined if the size was estimated wrongly, or the file is of a wrong kind. */
  end(size: number): Promise<string | undefined>
  discard(): Promise<void>
}

/** `bytes` is the length of the whole form. Returns undefined if the file is small. */
export type StoreEarly = (userId: string, bytes: number) => Promise<EarlyChunks | undefined>

export function storeEarly(parts: { db: Database; sealer: Sealer }): StoreEarly {
  const { db } = parts
  return async (userId, bytes) => {
    // Each chunk is bound to the size in megabytes, so it must be known in advance.
    const size = bytes - FORM_BYTES
    if (size < MIN_BYTES) return undefined
    const id = await insertSingleRequestUpload(db, { userId, size, minutes: EXPIRY_MINUTES })
    const writer = chunkWriter(parts, { id, userId, size, received: 0, storeHashes: false })
    let start = Buffer.alloc(0)
    const discard = async () => {
      await deleteUnfinished(db, id)
    }
    return {
      add: async (piece) => {
        if (start.length < KIND_BYTES) start = Buffer.concat([start, piece.subarray(0, KIND_BYTES)])
        // What is refused at the end anyway is not stored before.
        if (start.length >= KIND_BYTES && !kindOf(start)) return
        await writer.add(piece)
      },
      end: async (actual) => {
        if (kindOf(start) && megabytesOf(actual) === megabytesOf(size)) {
          await writer.flush()
          return id
        }
        await discard()
        return undefined
      },
      discard,
    }
  }
}
