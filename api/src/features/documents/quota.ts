import {
  tooManyUploadTries,
  UPLOAD_BYTES_A_DAY,
  uploadQuotaReached,
} from '@guidon/contract/document-refusals'
import { UPLOAD_TRIES_A_DAY, UPLOADS_A_DAY } from '@guidon/contract/limits'
import type { Queryable } from '../../db/database.ts'
import { secondsToWait, take } from '../../db/limits.ts'
import { secondsUntilQuota } from '../../db/uploads.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../http/tokens.ts'

const DAY_SECONDS = 24 * 3600

/**
 * What an account may send in a day. Files count when they are accepted, so uploads at the same moment
 * may go over it by a few; tries count before, so that refused files are bounded too.
 */
export function uploadQuota(db: Queryable, tokens: Pick<Tokens, 'hash'>) {
  const most = { files: UPLOADS_A_DAY, bytes: UPLOAD_BYTES_A_DAY }

  return async (userId: string, bytes: number): Promise<void> => {
    const seconds = await secondsUntilQuota(db, userId, bytes, most)
    if (seconds > 0) throw refuse(uploadQuotaReached(seconds), { retryAfterSeconds: seconds })
    const key = tokens.hash('limit', `upload\0${userId}`)
    const tries = { key, most: UPLOAD_TRIES_A_DAY, seconds: DAY_SECONDS }
    if (await take(db, tries)) return
    const wait = await secondsToWait(db, [tries])
    throw refuse(tooManyUploadTries(wait), { retryAfterSeconds: wait })
  }
}
