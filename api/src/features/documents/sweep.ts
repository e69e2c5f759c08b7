import { z } from 'zod'
import type { Database, Tx } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { storeDocument } from './store-document.ts'
import { clearUploadRefusals, documentsWaiting } from './uploads.sql.ts'

/** Nightly: nothing that waits depends on a job that was lost or given up. */
export const sweepUploads = job({
  name: 'documents.sweep',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 300 },
  every: '30 9 * * *',
})

/** Starts anew whatever waits. Answers how many documents that are. */
async function startWaiting(tx: Tx, jobs: Jobs): Promise<number> {
  const waiting = await documentsWaiting(tx)
  for (const { documentId, position } of waiting) {
    await jobs.send(storeDocument, { documentId }, tx, { turn: position })
  }
  return waiting.length
}

export function sweepUploadsWork(db: Database, jobs: Jobs) {
  return work(sweepUploads, async () => {
    await db.transaction().execute((tx) => startWaiting(tx, jobs))
  })
}

/** For the operator: tries everything that waits again, also what was refused. Answers how many. */
export function sendUploadsAgain(db: Database, jobs: Jobs): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await clearUploadRefusals(tx)
    return startWaiting(tx, jobs)
  })
}
