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
 * Limits what an account may send in a day. Files count once they are accepted, so concurrent uploads may exceed
 * the quota by a few. Tries count before that, so that refused files are limited too.
 */
export function uploadQuota(db: Queryable, tokens: Pick<Tokens, 'hash'>, quota: UploadQuota) {
  const dailyQuota = { files: quota.files, bytes: quota.gigabytes * GIGABYTE }
  const maxTries = Math.ceil(quota.files * UPLOAD_TRIES_A_FILE)

  const requireQuota = async (userId: string, bytes: number): Promise<void> => {
    const seconds = await secondsUntilQuota(db, userId, bytes, dailyQuota)
    if (seconds > 0) {
      throw refuse(uploadQuotaReached(quota, seconds), { retryAfterSeconds: seconds })
    }
  }

  const countTry = async (userId: string): Promise<void> => {
    const key = tokens.hash('limit', `upload\0${userId}`)
    const limit = { key, max: maxTries, seconds: DAY_SECONDS }
    if (await take(db, limit)) return
    const wait = await secondsToWait(db, [limit])
    throw refuse(tooManyUploadTries(wait), { retryAfterSeconds: wait })
  }

  return { requireQuota, countTry }
}
