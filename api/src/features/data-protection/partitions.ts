import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { dropExpiredPartitions, makePartitions } from '../../db/partitions.ts'
import { job, work } from '../../jobs/job.ts'
import type { Log } from '../../platform/log.ts'

/** Hourly, although a new partition is needed once a day: an attempt fails while a long transaction holds a lock. */
export const partitionTables = job({
  name: 'records.partitions',
  data: z.object({}).nullish(),
  options: { retryLimit: 5, retryDelay: 60, expireInSeconds: 300 },
  every: '10 * * * *',
})

export function partitionTablesWork(db: Database, log: Log) {
  return work(partitionTables, async () => {
    const made = await makePartitions(db)
    if (made.length > 0) log.info({ partitions: made }, 'database: partitions created')
    const dropped = await dropExpiredPartitions(db)
    if (dropped.length > 0) log.info({ partitions: dropped }, 'retention: partitions dropped')
  })
}
