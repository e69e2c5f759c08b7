import { extname } from 'node:path'
import { z } from 'zod'
import type { Outbox } from '../../crm/outbox/outbox.ts'
import type { Database } from '../../db/database.ts'
import { withLock } from '../../db/locks.ts'
import { setBoxFolderId } from '../../db/users.ts'
import { withEnding } from '../../files/checks/safe-name.ts'
import { FilesRefused } from '../../files/port.ts'
import type { Content, Files } from '../../files/port.ts'
import { job, work } from '../../jobs/job.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import type { Log } from '../../platform/log.ts'
import { readChunks } from './chunks.ts'
import { setBoxFileId } from './documents.sql.ts'
import { markStored, markUploadRefused, nextUpload } from './uploads.sql.ts'
import type { WaitingUpload } from './uploads.sql.ts'

/** Brings what was uploaded of one document to the file store, in order. */
export const storeDocument = job({
  name: 'documents.store',
  data: z.object({ documentId: z.uuid() }),
  // A day and a half of outage; then the nightly sweep starts it anew.
  options: { retryLimit: 2000, retryDelay: 2, retryDelayMax: 60, expireInSeconds: 1800 },
})

export interface StoreParts {
  db: Database
  sealer: Sealer
  files: Files
  outbox: Pick<Outbox, 'add'>
  log: Log
}

export function storeDocumentWork({ db, sealer, files, outbox, log }: StoreParts) {
  const folderOf = async ({ folderId, userId, firstName, lastName }: WaitingUpload) => {
    if (folderId) return folderId
    const id = await files.folder(folderName({ userId, firstName, lastName }))
    await setBoxFolderId(db, userId, id)
    return id
  }

  /** Answers the store's id of the file. */
  const bring = async (upload: WaitingUpload): Promise<string> => {
    const content: Content = {
      name: upload.name,
      size: Number(upload.size),
      sha1: upload.sha1.toString('hex'),
      open: () => readChunks(db, sealer, upload),
    }
    // Someone of the provider's may have put another file of that name there, or removed file or folder.
    // The veteran was promised that theirs is kept.
    const underFreeName = async (send: (content: Content) => Promise<string>) =>
      (await unless('name_taken', () => send(content))) ??
      send({ ...content, name: besides(upload.name, content.sha1) })
    const { boxFileId } = upload
    if (boxFileId) {
      const replace = (as: Content) => files.replace(boxFileId, as).then(() => boxFileId)
      const replaced = await unless('not_found', () => underFreeName(replace))
      if (replaced) return replaced
    }
    const into = (folder: string) => underFreeName((as) => files.upload(folder, as))
    const known = await folderOf(upload)
    return (
      (await unless('not_found', () => into(known))) ??
      into(await folderOf({ ...upload, folderId: null }))
    )
  }

  /** Answers whether there may be another one. */
  const storeNext = async (documentId: string): Promise<boolean> => {
    const upload = await nextUpload(db, documentId)
    if (!upload || upload.refused) return false
    try {
      const boxFileId = await bring(upload)
      await db.transaction().execute(async (tx) => {
        await markStored(tx, upload.id)
        await setBoxFileId(tx, documentId, boxFileId)
        await outbox.add(tx, { userId: upload.userId, kind: 'document', entityId: documentId })
      })
      return true
    } catch (error) {
      if (!(error instanceof FilesRefused)) throw error
      log.error({ err: error, kind: 'upload' }, 'the file store refused an upload')
      await markUploadRefused(db, upload.id, error.code)
      return false
    }
  }

  return work(storeDocument, async ({ documentId }) => {
    // Bytes travel for minutes: the lock is a connection's, so that it goes with a worker that dies.
    await withLock(db, `document ${documentId}`, async () => {
      while (await storeNext(documentId));
    })
  })
}

async function unless<T>(code: string, attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof FilesRefused && error.code === code) return undefined
    throw error
  }
}

/** Found by the provider's staff by name, and never mistaken for a namesake's. */
export function folderName(person: { userId: string; firstName: string; lastName: string }) {
  const name = `${person.lastName}, ${person.firstName}`.replaceAll(/[/\\\p{Cc}]/gu, ' ').trim()
  return `${name.slice(0, 180)} (${person.userId.slice(-12)})`
}

export function besides(name: string, sha1: string): string {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  return withEnding(stem, ` (${sha1.slice(0, 8)})${extension}`)
}
