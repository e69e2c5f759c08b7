import { setTimeout as delay } from 'node:timers/promises'
import { noSpaceForUploads, uploadsBusy, uploadTooSlow } from '@guidon/contract/document-refusals'
import { MAX_FILES, tooManyUploads } from '@guidon/contract/documents'
import { UPLOAD_BYTES_A_SECOND_MIN_AT_CAPACITY } from '@guidon/contract/limits'
import { refuse } from '../../http/refuse.ts'
import type { RefusalError } from '../../http/refuse.ts'
import type { Log } from '../../platform/log.ts'

/** Of one process: each is a file, its checks and a transaction. */
const UPLOADS_AT_ONCE = 50
/** Left on the disk for what else is written there. */
const SPARE_BYTES = 16 * 1024 * 1024
const SOON_SECONDS = 5
const REFUSAL_MS = 1_000
const LATER_SECONDS = 30

export interface AdmissionParts {
  /** Throws where the account has sent enough for a day. */
  checkQuota(userId: string, bytes: number): Promise<void>
  /** Bytes that can be written to the upload folder now. */
  freeBytes(): Promise<number>
  log: Pick<Log, 'warn'>
  atOnce?: number
}

/** An upload in this process, from its first byte to its answer. */
export interface Admitted {
  /** So many of the reserved bytes are on the disk now. */
  wrote(bytes: number): void
  /** All of it has arrived: what was reserved beyond that is free. */
  arrived(): void
  /** How fast it arrives, and how it can be ended from outside. */
  arriving(rate: () => number | undefined, end: (refusal: RefusalError) => void): void
  leave(): void
}

export interface Admission {
  /** Before any byte of the body is read. Throws a refusal with the time to come back. */
  enter(userId: string, bytes: number): Promise<Admitted>
}

interface Upload {
  userId: string
  /** Reserved and not written yet. */
  outstanding: number
  rate(): number | undefined
  end(refusal: RefusalError): void
  left: Promise<void>
}

/** Bounds uploads by account, by number and by room on the disk. Counts in this process only. */
export function admission({
  checkQuota,
  freeBytes,
  log,
  atOnce = UPLOADS_AT_ONCE,
}: AdmissionParts): Admission {
  const uploads = new Set<Upload>()

  /** Ends the slowest upload where it is slow enough to hold up others; false where none is. */
  const endSlowest = async (): Promise<boolean> => {
    const rated = [...uploads].map((upload) => ({ upload, rate: upload.rate() ?? Infinity }))
    const slow = rated.filter(({ rate }) => rate < UPLOAD_BYTES_A_SECOND_MIN_AT_CAPACITY)
    const [slowest] = slow.toSorted((one, other) => one.rate - other.rate)
    if (!slowest) return false
    slowest.upload.end(refuse(uploadTooSlow))
    await slowest.upload.left
    return true
  }

  const hasRoom = async () => {
    const outstanding = [...uploads].reduce((sum, upload) => sum + upload.outstanding, 0)
    return outstanding + SPARE_BYTES <= (await freeBytes())
  }

  const makeRoom = async () => {
    while (uploads.size > atOnce) {
      if (await endSlowest()) continue
      log.warn('uploads: too many at once')
      throw refuse(uploadsBusy, { retryAfterSeconds: LATER_SECONDS })
    }
    while (!(await hasRoom())) {
      if (await endSlowest()) continue
      log.warn('uploads: no room in the upload folder')
      throw refuse(noSpaceForUploads, { retryAfterSeconds: LATER_SECONDS })
    }
  }

  return {
    enter: async (userId, bytes) => {
      const own = [...uploads].filter((upload) => upload.userId === userId)
      if (own.length >= MAX_FILES) {
        // A sender that does not wait is made to: each refusal costs a session's lookup.
        await delay(REFUSAL_MS)
        throw refuse(tooManyUploads, { retryAfterSeconds: SOON_SECONDS })
      }
      const { promise: left, resolve } = Promise.withResolvers<void>()
      const upload: Upload = {
        userId,
        outstanding: bytes,
        rate: () => undefined,
        end: () => {},
        left,
      }
      // Counted before anything is waited for, so that many at once cannot slip through together.
      uploads.add(upload)
      const leave = () => {
        uploads.delete(upload)
        resolve()
      }
      try {
        await checkQuota(userId, bytes)
        await makeRoom()
      } catch (error) {
        leave()
        throw error
      }
      return {
        wrote: (written) => {
          upload.outstanding = Math.max(0, upload.outstanding - written)
        },
        arrived: () => {
          upload.outstanding = 0
          upload.rate = () => undefined
        },
        arriving: (rate, end) => Object.assign(upload, { rate, end }),
        leave,
      }
    },
  }
}
