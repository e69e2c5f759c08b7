import { tooManyUploadTries, uploadQuotaReached } from '@guidon/contract/document-refusals'
import type { UploadQuota } from '@guidon/contract/document-refusals'
import { UPLOAD_TRIES_A_FILE } from '@guidon/contract/limits'
import type { Queryable } from '../../db/database.ts'
import { secondsToWait, take } from '../../db/limits.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { secondsUntilQuota } from './uploads.sql.ts'

const DAY_SECONDS = 24 * 3600
const GIGABYTE = 1024 ** 3

/**
 * What an account may send in a day. Files count when they are accepted, so uploads at the same moment
 * may go over it by a few; tries count before, so that refused files are bounded too.
 */
export function uploadQuota(db: Queryable, tokens: Pick<Tokens, 'hash'>, quota: UploadQuota) {
  const most = { files: quota.files, bytes: quota.gigabytes * GIGABYTE }
  const tries = Math.ceil(quota.files * UPLOAD_TRIES_A_FILE)

  return async (userId: string, bytes: number): Promise<void> => {
    const seconds = await secondsUntilQuota(db, userId, bytes, most)
    if (seconds > 0) {
      throw refuse(uploadQuotaReached(quota, seconds), { retryAfterSeconds: seconds })
    }
    const key = tokens.hash('limit', `upload\0${userId}`)
    const tried = { key, most: tries, seconds: DAY_SECONDS }
    if (await take(db, tried)) return
    const wait = await secondsToWait(db, [tried])
    throw refuse(tooManyUploadTries(wait), { retryAfterSeconds: wait })
  }
}
