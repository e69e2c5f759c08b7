import { z } from 'zod'
import type { Tx } from '../../db/database.ts'
import { job, workBatch } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { MAX_PER_REFRESH } from '../port.ts'
import type { Crm } from '../port.ts'
import { findContactIds, isRefreshDue } from './freshness.sql.ts'
import { readIfAffordable } from './read-if-affordable.ts'
import { storeVeterans } from './store-veterans.ts'
import type { StoreVeteransParts } from './store-veterans.ts'

/** Reads the veterans who signed in during the last second from the CRM, all in one call. */
export const refreshVeteran = {
  ...job({
    name: 'crm.refresh-veteran',
    data: z.object({ userId: z.uuid() }),
    options: { retryLimit: 1, retryDelay: 5, expireInSeconds: 30 },
  }),
  batchSize: MAX_PER_REFRESH,
}

/** Requests a refresh in the transaction of a sign-in, unless the poller keeps the veteran's records fresh anyway. */
export async function refreshIfDue(tx: Tx, jobs: Jobs, userId: string): Promise<void> {
  if (await isRefreshDue(tx, userId)) await jobs.send(refreshVeteran, { userId }, tx)
}

export interface RefreshParts extends StoreVeteransParts {
  crm: Pick<Crm, 'veterans' | 'readFields'>
}

export function refreshVeteranWork(parts: RefreshParts) {
  const { db, crm } = parts
  return workBatch(refreshVeteran, async (requested) => {
    const contactIds = await findContactIds(
      db,
      requested.map(({ userId }) => userId),
    )
    if (contactIds.length === 0) return
    const fresh = await readIfAffordable(db, () => crm.veterans(contactIds))
    if (fresh) await storeVeterans(parts, fresh)
  })
}
