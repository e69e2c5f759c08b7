import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import { recordReport } from '../../mail/deliveries.sql.ts'
import { readReport } from '../../mail/report.ts'
import type { Log } from '../../platform/log.ts'
import type { WorkerParts } from '../feature.ts'

/** Every minute: reads which emails came back. */
export const readReports = job({
  name: 'notices.read-reports',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 20, expireInSeconds: 120 },
  every: '* * * * *',
})

interface Parts {
  db: Database
  reports: WorkerParts['reports']
  log: Log
}

export function readReportsWork({ db, reports, log }: Parts) {
  return work(readReports, async (_data, { signal }) => {
    if (!reports) return
    const { mailbox, paths: returnPaths } = reports
    let recorded = 0
    const { read, skipped } = await mailbox.readAll(async (text) => {
      const report = readReport(text)
      const id = report?.to.map(returnPaths.idIn).find((found) => found !== undefined)
      if (report && id && (await recordReport(db, { id, ...report }))) recorded += 1
    }, signal)
    if (read + skipped > 0) log.info({ read, recorded, skipped }, 'mail: reports read')
  })
}
