import { z } from 'zod'
import { findUndecidedEmails } from '../../crm/mirror/freshness.sql.ts'
import { readIfAffordable } from '../../crm/mirror/read-if-affordable.ts'
import { storeVeterans } from '../../crm/mirror/store-veterans.ts'
import { MAX_PER_SEARCH } from '../../crm/port.ts'
import { lockAccount } from '../../db/users.ts'
import { job, workBatch } from '../../jobs/job.ts'
import type { WorkerParts } from '../feature.ts'

/**
 * Reads the contacts of the sign-ups that were verified during the last second, and what belongs to them, from the
 * CRM, all in one call. Then it links the accounts.
 */
export const findContact = {
  ...job({
    name: 'crm.find-contact',
    data: z.object({ userId: z.uuid() }),
    options: { retryLimit: 2, retryDelay: 5, expireInSeconds: 30 },
  }),
  batchSize: MAX_PER_SEARCH,
}

type Parts = Pick<WorkerParts, 'db' | 'crm' | 'calls' | 'links' | 'stages' | 'onChanges' | 'log'>

export function findContactWork({ calls, ...parts }: Parts) {
  const { db, crm } = parts
  return workBatch(findContact, async (requested) => {
    const userIds = requested.map(({ userId }) => userId)
    const emails = await findUndecidedEmails(db, userIds)
    if (emails.length === 0) return
    const found = await readIfAffordable(db, () => crm.veteransByEmail(emails))
    if (found) await storeVeterans(parts, found)
    for (const userId of userIds) {
      await db.transaction().execute(async (tx) => {
        const account = await lockAccount(tx, userId)
        if (account) await calls.onSignedIn(tx, { userId, role: account.role })
      })
    }
  })
}
