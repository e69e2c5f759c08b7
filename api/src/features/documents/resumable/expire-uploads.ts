import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { job, work } from '../../../jobs/job.ts'
import type { Log } from '../../../platform/log.ts'
import { deleteExpiredUploads } from './unfinished.sql.ts'

/** Deletes unfinished uploads that have expired. More often than the other records, because of their size. */
export const expireUploads = job({
  name: 'documents.expire',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 240 },
  every: '*/5 * * * *',
})

/** Each has up to 100 chunks of a megabyte. */
const BATCH = 5

export function expireUploadsWork(db: Database, log: Log) {
  return work(expireUploads, async (_data, { signal }) => {
    let total = 0
    for (let count = BATCH; count === BATCH && !signal.aborted;) {
      count = await deleteExpiredUploads(db, BATCH)
      total += count
    }
    if (total > 0) log.info({ count: total }, 'uploads: expired ones deleted')
  })
}
