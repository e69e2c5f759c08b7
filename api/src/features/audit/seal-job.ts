import { z } from 'zod'
import { recordBlockedCounts } from '../../db/blocked-tries.ts'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import { sealEvents } from './chain.ts'

export const sealAudit = job({
  name: 'audit.seal',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 5, expireInSeconds: 300 },
  every: '* * * * *',
})

export function sealAuditWork(db: Database, log: Log) {
  return work(sealAudit, async () => {
    await recordBlockedCounts(db)
    const seal = await sealEvents(db)
    // The process log is stored outside of the database, so it shows if the newest seals were removed.
    if (seal) log.info({ seal: seal.number, hash: seal.hash.toString('hex') }, 'audit: sealed')
  })
}
