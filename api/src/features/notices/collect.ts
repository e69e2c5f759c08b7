import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { Busy, tryLockInTransaction } from '../../db/locks.ts'
import { job, work } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { accountsWithDueNotices, collectNotices } from './notices.sql.ts'
import { sendNotices } from './send-notices.ts'
import { databaseTime } from './time.ts'
import type { Now } from './time.ts'

/** Every minute: makes one email of all notices that are due for a person. */
export const collectDue = job({
  name: 'notices.collect',
  data: z.object({}).nullish(),
  options: { retryLimit: 3, retryDelay: 10, expireInSeconds: 300 },
  every: '* * * * *',
})

/** Small, so that a transaction takes well under a second. */
const BATCH = 500

interface Parts {
  db: Database
  jobs: Jobs
}

/** Returns the number of emails. */
export async function collect({ db, jobs }: Parts, now: Now = databaseTime): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Two at the same time could make two emails for one person.
    await tryLockInTransaction(tx, 'notices.collect')
    const at = await now(tx)
    const userIds = await accountsWithDueNotices(tx, at, BATCH)
    const deliveries = userIds.map((userId) => ({ id: randomUUID(), userId }))
    await collectNotices(tx, deliveries, at)
    for (const { id: deliveryId } of deliveries) await jobs.send(sendNotices, { deliveryId }, tx)
    return deliveries.length
  })
}

export function collectWork(parts: Parts, now: Now = databaseTime) {
  return work(collectDue, async (_, { signal }) => {
    try {
      while ((await collect(parts, now)) > 0) signal.throwIfAborted()
    } catch (error) {
      if (!(error instanceof Busy)) throw error
    }
  })
}
