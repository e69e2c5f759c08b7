import { z } from 'zod'
import { accountFolders } from '../../files/folders/folders.ts'
import { job, work } from '../../jobs/job.ts'
import type { WorkerParts } from '../feature.ts'

/** Opens a folder in the file store while staff wait. */
export const openFolder = job({
  name: 'folders.open',
  data: z.object({ userId: z.uuid(), folderId: z.string() }),
  options: { retryLimit: 1, retryDelay: 1, expireInSeconds: 60 },
  concurrency: 2,
})

export function openFolderWork(parts: Pick<WorkerParts, 'db' | 'files' | 'log'>) {
  const folders = accountFolders(parts)
  return work(openFolder, async ({ userId, folderId }) => {
    await folders.open(userId, folderId)
  })
}
