import { setTimeout as delay } from 'node:timers/promises'
import {
  fileUnreadable,
  noSpaceForUploads,
  uploadsBusy,
  uploadTooSlow,
  wrongFileType,
} from '@guidon/contract/document-refusals'
import { MAX_FILES, tooManyUploads } from '@guidon/contract/documents'
import { TRANSFER_BYTES_A_SECOND_MIN_AT_CAPACITY } from '@guidon/contract/limits'
import { RefusalError, refuse } from '../../../http/refuse.ts'
import type { Log } from '../../../platform/log.ts'
import { refusalDelay } from './account-load.ts'

/** Uploads of one process at the same time. Each needs a file on the disk, its checks and a transaction. */
const MAX_CONCURRENT = 50
/** Left free on the disk for other files. */
const SPARE_BYTES = 16 * 1024 * 1024
const ACCOUNT_LIMIT_RETRY_SECONDS = 5
const ACCOUNT_LIMIT_DELAY_MS = 1_000
const FULL_RETRY_SECONDS = 30

export interface Sender {
  userId: string
  /** Present for a phone without a session: what it sends must not keep its owner from sending. */
  handOffId?: string
}

export interface AdmissionParts {
  /** Throws a refusal when the sender has reached its daily quota. */
  checkQuota(sender: Sender, bytes: number): Promise<void>
  freeBytes(): Promise<number>
  log: Pick<Log, 'warn'>
  maxConcurrent?: number
}

/** One upload, from before its first byte until its response. */
export interface Admitted {
  startReceiving(rate: () => number | undefined, abort: (refusal: RefusalError) => void): void
  /** Counts bytes as written, so that they are no longer reserved. */
  addWritten(bytes: number): void
  /** Releases the rest of the reserved bytes. */
  endReceiving(): void
  /**
   * Call when the file is deleted, with the error if the upload failed. If its content was refused and others of the
   * account before it, this waits and keeps the account's place, but not that of the process.
   */
  release(failure?: unknown): Promise<void>
}

export interface Admission {
  /**
   * Call before the body is read. Reserves the bytes on the disk, or throws a refusal that says when to retry. Only
   * a new upload counts for the daily quota, not a further request for one.
   */
  admit(sender: Sender, upload: { bytes: number; isNew: boolean }): Promise<Admitted>
}

interface Upload {
  /** Of the sender. */
  key: string
  /** Not written to the disk yet. */
  reservedBytes: number
  rate(): number | undefined
  abort(refusal: RefusalError): void
  released: Promise<void>
}

const OF_CONTENT: ReadonlySet<number> = new Set([wrongFileType.status, fileUnreadable.status])

/** A full server or a name that is taken is not the fault of the content. */
const isRefusedContent = (failure: unknown): boolean =>
  failure instanceof RefusalError && OF_CONTENT.has(failure.refusal.status)

/** Limits the uploads of this process: by account, in total, and by free space on the disk. */
export function admission({
  checkQuota,
  freeBytes,
  log,
  maxConcurrent = MAX_CONCURRENT,
}: AdmissionParts): Admission {
  const uploads = new Set<Upload>()
  /** Uploads with a refused content, while their responses are delayed. */
  const delayed = new Set<Upload>()
  const delayOf = refusalDelay()

  /** Aborts the slowest upload if it is below the minimum rate of a full process. Returns whether it did. */
  const abortSlowest = async (): Promise<boolean> => {
    const rated = [...uploads].map((upload) => ({ upload, rate: upload.rate() ?? Infinity }))
    const slow = rated.filter(({ rate }) => rate < TRANSFER_BYTES_A_SECOND_MIN_AT_CAPACITY)
    const [slowest] = slow.toSorted((a, b) => a.rate - b.rate)
    if (!slowest) return false
    slowest.upload.abort(refuse(uploadTooSlow))
    await slowest.upload.released
    return true
  }

  const isSpaceFree = async () => {
    const reserved = [...uploads].reduce((sum, upload) => sum + upload.reservedBytes, 0)
    return reserved + SPARE_BYTES <= (await freeBytes())
  }

  const requireCapacity = async (bytes: number) => {
    while (uploads.size > maxConcurrent) {
      if (await abortSlowest()) continue
      log.warn('uploads: too many concurrent uploads')
      throw refuse(uploadsBusy, { retryAfterSeconds: FULL_RETRY_SECONDS })
    }
    // A part of a resumable upload is stored in the database, not on the disk.
    if (bytes === 0) return
    while (!(await isSpaceFree())) {
      if (await abortSlowest()) continue
      log.warn('uploads: no free space in the upload folder')
      throw refuse(noSpaceForUploads, { retryAfterSeconds: FULL_RETRY_SECONDS })
    }
  }

  return {
    admit: async (sender, { bytes, isNew }) => {
      const key = sender.handOffId ?? sender.userId
      const own = [...uploads, ...delayed].filter((upload) => upload.key === key)
      if (own.length >= MAX_FILES) {
        // Slows down a client that retries at once: every request costs a session lookup.
        await delay(ACCOUNT_LIMIT_DELAY_MS)
        throw refuse(tooManyUploads, { retryAfterSeconds: ACCOUNT_LIMIT_RETRY_SECONDS })
      }
      const { promise: released, resolve } = Promise.withResolvers<void>()
      const upload: Upload = {
        key,
        reservedBytes: bytes,
        rate: () => undefined,
        abort: () => {},
        released,
      }
      // Added before the first await, so that concurrent requests count each other.
      uploads.add(upload)
      const release = async (failure?: unknown) => {
        uploads.delete(upload)
        resolve()
        if (!isRefusedContent(failure)) return
        delayed.add(upload)
        await delay(delayOf(key))
        delayed.delete(upload)
      }
      try {
        if (isNew) await checkQuota(sender, bytes)
        await requireCapacity(bytes)
      } catch (error) {
        await release()
        throw error
      }
      return {
        startReceiving: (rate, abort) => Object.assign(upload, { rate, abort }),
        addWritten: (written) => {
          upload.reservedBytes = Math.max(0, upload.reservedBytes - written)
        },
        endReceiving: () => {
          upload.reservedBytes = 0
          upload.rate = () => undefined
        },
        release,
      }
    },
  }
}
