import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import type { NamedRetention } from '../feature.ts'

/** Hourly, at a minute at which no nightly job starts. */
export const sweepRecords = job({
  name: 'records.sweep',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 1800 },
  every: '20 * * * *',
})

/** Small, so that a statement holds its row locks for about ten milliseconds only. */
const BATCH = 1_000
/** After a long pause there may be millions of rows; the next run continues. */
const MAX_BATCHES_PER_RUN = 1_000

/** Deletes expired rows batch by batch, each in its own transaction. Returns the rows by table. */
export async function sweep(
  db: Database,
  rules: readonly NamedRetention[],
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const { table, hours, delete: deleteBatch, batch = BATCH } of rules) {
    let total = 0
    for (let round = 0; round < MAX_BATCHES_PER_RUN; round += 1) {
      const count = await deleteBatch(db, hours, batch)
      total += count
      if (count < batch) break
    }
    deleted[table] = total
  }
  return deleted
}

export function sweepRecordsWork(db: Database, rules: readonly NamedRetention[], log: Log) {
  return work(sweepRecords, async () => {
    for (const [kind, count] of Object.entries(await sweep(db, rules))) {
      if (count > 0) log.info({ kind, count }, 'retention: rows deleted')
    }
  })
}
