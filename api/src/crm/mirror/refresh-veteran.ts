import { z } from 'zod'
import { upsertRows } from '../../db/crm-rows.ts'
import { latestUsage } from '../../db/crm-usage.ts'
import type { Database } from '../../db/database.ts'
import { findSalesforceId } from '../../db/users.ts'
import { job, work } from '../../jobs/job.ts'
import { CrmUnavailable } from '../port.ts'
import type { Crm } from '../port.ts'
import { isScarce } from '../quota.ts'

/** Sent at sign-in, so that the dashboard shows changes since the last poll. */
export const refreshVeteran = job({
  name: 'crm.refresh-veteran',
  data: z.object({ userId: z.uuid() }),
  options: { retryLimit: 1, retryDelay: 5, expireInSeconds: 30 },
})

export function refreshVeteranWork(db: Database, crm: Pick<Crm, 'veteran'>) {
  return work(refreshVeteran, async ({ userId }) => {
    const contactId = await findSalesforceId(db, userId)
    if (!contactId || isScarce(await latestUsage(db))) return
    const fresh = await ifAvailable(() => crm.veteran(contactId))
    if (!fresh) return
    const { contact, caseManager, appointments, documents } = fresh
    await db.transaction().execute(async (tx) => {
      await upsertRows(tx, 'contact', contact ? [contact] : [])
      await upsertRows(tx, 'user', caseManager ? [caseManager] : [])
      await upsertRows(tx, 'appointment', appointments)
      await upsertRows(tx, 'document', documents)
    })
  })
}

/** Not a failure of the job: the poller reads the changes when the CRM is available again. */
async function ifAvailable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CrmUnavailable) return undefined
    throw error
  }
}
