import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { uploadTooSlow, wrongFileType } from '@guidon/contract/document-refusals'
import { notFound } from '@guidon/contract/refusal'
import {
  PART_MAX_BYTES,
  PART_MIN_BYTES,
  partTooLarge,
  partTooSmall,
  wrongOffset,
} from '@guidon/contract/resumable-uploads'
import type { Database } from '../../../db/database.ts'
import { KIND_BYTES, kindOf } from '../../../files/checks/kind-of.ts'
import { refuse } from '../../../http/refuse.ts'
import type { RefusalError } from '../../../http/refuse.ts'
import type { Sealer } from '../../../platform/crypto/sealer.ts'
import { measurePace } from '../../../platform/transfer-pace.ts'
import type { PaceLimits } from '../../../platform/transfer-pace.ts'
import type { Admission } from '../receive/admission.ts'
import { chunkWriter, ConcurrentWrite } from '../receive/chunks.ts'
import { BadRequest } from '../receive/receive.ts'
import { findUnfinished, setRefused } from './unfinished.sql.ts'
import type { Unfinished } from './unfinished.sql.ts'

/** How much of a body is buffered while its session and upload are looked up. */
const READ_AHEAD_BYTES = 256 * 1024

export interface AppendParts {
  db: Database
  sealer: Sealer
  admission: Admission
  pace: PaceLimits
}

export interface Part {
  body: Body
  offset: number
  /** Undefined if the client did not declare it. */
  length: number | undefined
}

/** Appends one part to an unfinished upload. Returns the upload as it is stored then. */
export function append({ db, sealer, admission, pace }: AppendParts) {
  const exclusively = latestOfEachKey()

  const receive = async (userId: string, id: string, part: Part, onStop: OnStop) => {
    const upload = await findUnfinished(db, userId, id)
    if (!upload) throw refuse(notFound)
    if (upload.refusal) throw refuse(upload.refusal)
    if (part.offset !== upload.received || upload.documentId !== null) throw refuse(wrongOffset)
    const maxBytes = Math.min(PART_MAX_BYTES, upload.size - upload.received)
    if ((part.length ?? 0) > maxBytes) throw refuse(partTooLarge)
    if ((part.length ?? maxBytes) < Math.min(PART_MIN_BYTES, maxBytes)) throw refuse(partTooSmall)
    const admitted = await admission.admit({ userId }, { bytes: 0, isNew: false })
    try {
      const { body } = part
      const measured = measurePace(pace, () => body.stop(refuse(uploadTooSlow)))
      admitted.startReceiving(measured.rate, body.stop)
      onStop(() => body.stop(refuse(wrongOffset)))
      try {
        const writer = chunkWriter({ db, sealer }, { ...upload, userId, storeHashes: true })
        let left = maxBytes
        let start = Buffer.alloc(0)
        for await (const bytes of body.bytes) {
          measured.add(bytes.length)
          if (upload.received === 0 && start.length < KIND_BYTES) {
            start = Buffer.concat([start, bytes.subarray(0, KIND_BYTES)])
            // Before the first chunk is stored: that happens when it is full, or at the end of the part.
            if (start.length >= KIND_BYTES && !kindOf(start)) {
              await setRefused(db, id, wrongFileType)
              throw refuse(wrongFileType)
            }
          }
          await writer.add(bytes.subarray(0, left))
          if (bytes.length > left) body.stop(refuse(partTooLarge))
          left = Math.max(0, left - bytes.length)
        }
        const received = await writer.flush()
        return { ...upload, received }
      } finally {
        measured.stop()
        body.stop()
      }
    } finally {
      await admitted.release()
    }
  }

  return (userId: string, id: string, part: Part): Promise<Unfinished> =>
    exclusively(`${userId} ${id}`, async (onStop) => {
      const upload = await receive(userId, id, part, onStop).catch(throwAsRefusal)
      const refusal = part.body.refusal()
      if (refusal) throw refusal
      if (!part.body.isComplete()) throw new BadRequest('the client has disconnected')
      // Of an undeclared length.
      const isStored = upload.received > part.offset || upload.received === upload.size
      if (!isStored) throw refuse(partTooSmall)
      return upload
    })
}

function throwAsRefusal(error: unknown): never {
  throw error instanceof ConcurrentWrite ? refuse(wrongOffset) : error
}

export interface Body {
  bytes: AsyncIterable<Buffer>
  /** Ends the bytes, with a reason for the response. */
  stop(refusal?: RefusalError): void
  refusal(): RefusalError | undefined
  isComplete(): boolean
}

/** Starts to read the body at once, because Node drops unread bytes when the connection is lost. */
export function bodyOf(raw: IncomingMessage): Body {
  const bytes = new PassThrough({ highWaterMark: READ_AHEAD_BYTES })
  let refusal: RefusalError | undefined
  const stop = (reason?: RefusalError) => {
    refusal ??= reason
    raw.unpipe(bytes)
    bytes.end()
  }
  const onEnd = () => stop()
  // Without a listener, the loss of the connection would be an uncaught error.
  raw.once('close', onEnd).on('error', onEnd)
  raw.pipe(bytes)
  return { bytes, stop, refusal: () => refusal, isComplete: () => raw.complete }
}

type OnStop = (stop: () => void) => void

/**
 * Runs one task of a key at a time. A new one stops the running one: it is the same client, whose old connection may
 * stay open for minutes without any data.
 */
function latestOfEachKey() {
  const running = new Map<string, { stop(): void; ended: Promise<void> }>()

  return async <T>(key: string, task: (onStop: OnStop) => Promise<T>): Promise<T> => {
    const earlier = running.get(key)
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const own = { stop: () => {}, ended }
    running.set(key, own)
    earlier?.stop()
    try {
      await earlier?.ended
      if (running.get(key) !== own) throw refuse(wrongOffset)
      return await task((stop) => {
        own.stop = stop
        // A later request may have come before there was anything to stop.
        if (running.get(key) !== own) stop()
      })
    } finally {
      if (running.get(key) === own) running.delete(key)
      resolve()
    }
  }
}
