import { setTimeout as delay } from 'node:timers/promises'
import { boxSilent, folderRefused } from '@guidon/contract/folders'
import type { Database } from '../../db/database.ts'
import { askForFolder, knownFolder } from '../../files/folders/folders.sql.ts'
import type { OpenedFolder } from '../../files/folders/folders.sql.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Calls } from '../feature.ts'
import { openFolder } from './open-folder.ts'

const CHECK_EVERY_MS = 150
const WAIT_MS = 6_000
/** Those who wait read the database all the time. */
const MAX_WAITING = 10
/** From the preview until staff save it. */
const REUSE_SECONDS = 60

/** A worker opens folders, because an API may have no access to the file store. */
export function askWorker(db: Database, jobs: Pick<Jobs, 'send'>) {
  let waiting = 0

  const answer = async (userId: string, folderId: string) => {
    const end = performance.now() + WAIT_MS
    while (performance.now() < end) {
      const known = await knownFolder(db, userId, folderId)
      if (known?.isAnswer) return known
      await delay(CHECK_EVERY_MS)
    }
    return undefined
  }

  const ask = async (userId: string, folderId: string): Promise<OpenedFolder> => {
    const known = await knownFolder(db, userId, folderId)
    if (known && !known.problem && known.secondsAgo < REUSE_SECONDS) return known
    if (waiting >= MAX_WAITING) throw refuse(boxSilent)
    waiting += 1
    try {
      await db.transaction().execute(async (tx) => {
        await askForFolder(tx, userId, folderId)
        await jobs.send(openFolder, { userId, folderId }, tx)
      })
      return (await answer(userId, folderId)) ?? refuseSilent()
    } finally {
      waiting -= 1
    }
  }

  const requireFolder: Calls['requireFolder'] = async (userId, folderId) => {
    const { problem } = await ask(userId, folderId)
    if (problem) throw refuse(folderRefused(problem))
  }

  return { ask, requireFolder }
}

function refuseSilent(): never {
  throw refuse(boxSilent)
}
