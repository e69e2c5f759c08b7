import { z } from 'zod'
import { readIfAffordable } from '../../crm/mirror/read-if-affordable.ts'
import { MAX_PER_REFRESH } from '../../crm/port.ts'
import { findUndecidedEmails } from '../../db/crm-freshness.ts'
import { upsertRows } from '../../db/crm-rows.ts'
import { lockAccount } from '../../db/users.ts'
import { job, workBatch } from '../../jobs/job.ts'
import type { WorkerParts } from '../feature.ts'

/**
 * Reads the contacts of the sign-ups that were verified during the last second from the CRM, all in one call, and
 * then links the accounts.
 */
export const findContact = {
  ...job({
    name: 'crm.find-contact',
    data: z.object({ userId: z.uuid() }),
    options: { retryLimit: 2, retryDelay: 5, expireInSeconds: 30 },
  }),
  batchSize: MAX_PER_REFRESH,
}

type Parts = Pick<WorkerParts, 'db' | 'crm' | 'calls'>

export function findContactWork({ db, crm, calls }: Parts) {
  return workBatch(findContact, async (requested) => {
    const userIds = requested.map(({ userId }) => userId)
    const emails = await findUndecidedEmails(db, userIds)
    if (emails.length === 0) return
    const contacts = await readIfAffordable(db, () => crm.contactsByEmail(emails))
    await upsertRows(db, 'contact', contacts ?? [])
    for (const userId of userIds) {
      await db.transaction().execute(async (tx) => {
        const account = await lockAccount(tx, userId)
        if (account) await calls.onSignedIn(tx, { userId, role: account.role })
      })
    }
  })
}
