import { tooManyUploadTries, uploadQuotaReached } from '@guidon/contract/document-refusals'
import type { UploadQuota } from '@guidon/contract/document-refusals'
import { UPLOAD_TRIES_A_FILE } from '@guidon/contract/limits'
import type { Queryable } from '../../../db/database.ts'
import { secondsToWait, take } from '../../../db/limits.ts'
import { refuse } from '../../../http/refuse.ts'
import type { Tokens } from '../../../platform/tokens.ts'
import { secondsUntilQuota } from '../uploads.sql.ts'

const DAY_SECONDS = 24 * 3600
const MEGABYTE = 1024 ** 2
const GIGABYTE = 1024 ** 3

/**
 * Limits what an account may send in a day. Files count once they are accepted, so concurrent uploads may exceed
 * the quota by a few. Tries and their declared bytes count before that, so that refused and removed files are limited too.
 */
export function uploadQuota(db: Queryable, tokens: Pick<Tokens, 'hash'>, quota: UploadQuota) {
  const dailyQuota = { files: quota.files, bytes: quota.gigabytes * GIGABYTE }
  const maxTries = Math.ceil(quota.files * UPLOAD_TRIES_A_FILE)
  const maxMegabytes = Math.ceil(quota.gigabytes * 1024 * UPLOAD_TRIES_A_FILE)

  const requireQuota = async (userId: string, bytes: number): Promise<void> => {
    const seconds = await secondsUntilQuota(db, userId, bytes, dailyQuota)
    if (seconds > 0) {
      throw refuse(uploadQuotaReached(quota, seconds), { retryAfterSeconds: seconds })
    }
  }

  const count = async (name: string, userId: string, { max, amount = 1 }: Count) => {
    const key = tokens.hash('limit', `${name}\0${userId}`)
    const limit = { key, max, amount, seconds: DAY_SECONDS }
    if (await take(db, limit)) return
    const wait = await secondsToWait(db, [limit])
    throw refuse(tooManyUploadTries(wait), { retryAfterSeconds: wait })
  }
  const megabytes = (bytes: number): Count => ({
    max: maxMegabytes,
    amount: Math.ceil(bytes / MEGABYTE),
  })

  const countTry = async (userId: string, bytes: number): Promise<void> => {
    await count('upload', userId, { max: maxTries })
    await count('upload megabytes', userId, megabytes(bytes))
  }

  /** Apart from those of the account itself. The hand-off counts the tries. */
  const countFromPhone = (userId: string, bytes: number): Promise<void> =>
    count('phone megabytes', userId, megabytes(bytes))

  return { requireQuota, countTry, countFromPhone }
}

interface Count {
  max: number
  amount?: number
}
