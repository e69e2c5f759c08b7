import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { CrmRefused, KINDS } from '../port.ts'
import type { Crm, Kind } from '../port.ts'
import { isScarce } from '../quota.ts'
import { latestUsage, recordUsage } from '../usage.sql.ts'
import { compareRange } from './compare-range.ts'
import type { CompareParts } from './compare-range.ts'
import { currentTime, nextComparison } from './comparison.sql.ts'
import { mustStartRereading, recordFields } from './fields.sql.ts'
import { purgeDeleted } from './rows.sql.ts'

/** The CRM itself keeps deleted rows this long. */
const KEEP_DELETED_DAYS = 15

/** Enough for two million rows. The next night continues where this one ends. */
const CALLS_A_NIGHT = 1_000
/** Each job compares this many ranges, so that it ends long before it expires. */
const RANGES_A_JOB = 25

/** Nightly (US time): compares the mirror with the CRM, range by range of ids, and repairs the differences. */
export const reconcile = job({
  name: 'crm.reconcile',
  data: z
    .object({ since: z.iso.datetime(), calls: z.int(), onlyRereading: z.optional(z.boolean()) })
    .nullish(),
  options: { retryLimit: 5, retryDelay: 300, expireInSeconds: 1800 },
  every: '15 9 * * *',
})

/**
 * Runs after each successful check of the CRM. Records which fields are read, and hides rows of kinds that are not.
 * Kinds whose fields changed are read again from the start.
 */
export async function rereadChangedKinds(
  { db, jobs }: { db: Database; jobs: Jobs },
  crm: Pick<Crm, 'readFields'>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const read = crm.readFields()
    const absent = KINDS.filter((kind) => !read[kind])
    await recordFields(tx, read, absent)
    if (!(await mustStartRereading(tx))) return
    const since = await currentTime(tx)
    await jobs.send(reconcile, { since, calls: CALLS_A_NIGHT, onlyRereading: true }, tx)
  })
}

export interface ReconcileParts extends CompareParts {
  jobs: Jobs
}

export function reconcileWork(parts: ReconcileParts) {
  const { db, crm, jobs, log } = parts
  return work(reconcile, async (continued, { signal }) => {
    const since = continued?.since ?? (await currentTime(db))
    const onlyRereading = continued?.onlyRereading ?? false
    let calls = continued?.calls ?? CALLS_A_NIGHT
    if (!continued) for (const kind of KINDS) await purgeDeleted(db, kind, KEEP_DELETED_DAYS)
    const refused: Kind[] = []
    for (let ranges = 0; ranges < RANGES_A_JOB && calls > 0; ranges += 1) {
      signal.throwIfAborted()
      if (isScarce(await latestUsage(db))) return 'scarce'
      const filter = { since, except: refused, onlyRereading }
      const next = await nextComparison(db, crm.readFields(), filter)
      if (!next) return 'compared'
      try {
        calls -= await compareRange(parts, next)
      } catch (err) {
        if (!(err instanceof CrmRefused)) throw err
        // The other kinds are compared nevertheless.
        log.warn({ err, kind: next.kind }, 'crm: mirror not compared')
        refused.push(next.kind)
        calls -= 1
      }
      await recordUsage(db, crm.usage())
    }
    if (calls > 0) {
      await db
        .transaction()
        .execute((tx) => jobs.send(reconcile, { since, calls, onlyRereading }, tx))
    }
    return 'continues'
  })
}
