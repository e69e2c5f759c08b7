import { z } from 'zod'
import type { Database, Tx } from '../../../db/database.ts'
import { job, work } from '../../../jobs/job.ts'
import type { Jobs } from '../../../jobs/queues.ts'
import { clearUploadRefusals, documentsWaiting } from '../uploads.sql.ts'
import { storeDocument } from './store-document.ts'

/** Nightly, for uploads whose job was lost or failed for good. */
export const sweepUploads = job({
  name: 'documents.sweep',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 300 },
  every: '30 9 * * *',
})

/** Sends a job for each document with waiting uploads. Returns how many. */
async function restartWaiting(tx: Tx, jobs: Jobs): Promise<number> {
  const waiting = await documentsWaiting(tx)
  for (const { documentId, position } of waiting) {
    await jobs.send(storeDocument, { documentId }, tx, { turn: position })
  }
  return waiting.length
}

export function sweepUploadsWork(db: Database, jobs: Jobs) {
  return work(sweepUploads, async () => {
    await db.transaction().execute((tx) => restartWaiting(tx, jobs))
  })
}

/** For the operator: retries all waiting uploads, also those that the file store refused. Returns how many. */
export function sendUploadsAgain(db: Database, jobs: Jobs): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await clearUploadRefusals(tx)
    return restartWaiting(tx, jobs)
  })
}
