import { z } from 'zod'
import { recordCount, startFullPass } from '../../db/crm-cursors.ts'
import { countRows, purgeDeleted } from '../../db/crm-rows.ts'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import { KINDS } from '../port.ts'
import type { Crm } from '../port.ts'

/** The CRM itself keeps deleted rows this long. */
const KEEP_DELETED_DAYS = 15

/** Nightly (US time): compares the row counts of the mirror and the CRM. */
export const reconcile = job({
  name: 'crm.reconcile',
  data: z.object({}).nullish(),
  options: { retryLimit: 5, retryDelay: 300, expireInSeconds: 1800 },
  every: '15 9 * * *',
})

export function reconcileWork(db: Database, crm: Pick<Crm, 'count'>, log: Log) {
  return work(reconcile, async () => {
    for (const kind of KINDS) {
      const inCrm = await crm.count(kind)
      const inMirror = await countRows(db, kind)
      await recordCount(db, kind, { inCrm, inMirror })
      if (inCrm !== inMirror) {
        log.warn({ kind, inCrm, inMirror }, 'crm: mirror differs, full pass started')
        await startFullPass(db, kind)
      }
      await purgeDeleted(db, kind, KEEP_DELETED_DAYS)
    }
  })
}
