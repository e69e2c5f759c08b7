import { createHash, randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { z } from 'zod'
import type { Outbox } from '../../../crm/outbox/outbox.ts'
import type { Database } from '../../../db/database.ts'
import { withEnding } from '../../../files/checks/safe-name.ts'
import { accountFolders } from '../../../files/folders/folders.ts'
import { FilesRefused } from '../../../files/port.ts'
import type { Content, Files } from '../../../files/port.ts'
import { job, work } from '../../../jobs/job.ts'
import type { Sealer } from '../../../platform/crypto/sealer.ts'
import type { Log } from '../../../platform/log.ts'
import { setBoxFileId } from '../documents.sql.ts'
import { readChunks } from '../receive/chunks.ts'
import { markStored, markUploadRefused, nextUpload, setSha1 } from '../uploads.sql.ts'
import type { WaitingUpload } from '../uploads.sql.ts'
import { claimDocument, lockClaim, releaseClaim, renewClaim } from './leases.sql.ts'
import type { Claim } from './leases.sql.ts'

/** Sends the uploads of one document to the file store, the oldest first. */
export const storeDocument = job({
  name: 'documents.store',
  data: z.object({ documentId: z.uuid() }),
  // Retries for more than a day; then the nightly sweep starts it again.
  options: { retryLimit: 2000, retryDelay: 2, retryDelayMax: 60, expireInSeconds: 1800 },
  concurrency: 5,
})

/** A worker that died holds its documents this long. */
const CLAIM_SECONDS = 30
const RENEW_MS = (CLAIM_SECONDS / 3) * 1000

export interface StoreParts {
  db: Database
  sealer: Sealer
  files: Files
  outbox: Pick<Outbox, 'add'>
  log: Log
}

export function storeDocumentWork({ db, sealer, files, outbox, log }: StoreParts) {
  const folders = accountFolders({ db, files, log })
  const folderOf = ({ userId, ...person }: WaitingUpload) =>
    // All ids start with the time: only their ends are spread evenly.
    folders.forUploads(userId, () =>
      files.folder(folderName({ userId, ...person }), userId.slice(-2)),
    )

  const sha1Of = async (upload: WaitingUpload): Promise<Buffer> => {
    if (upload.sha1) return upload.sha1
    const hash = createHash('sha1')
    for await (const bytes of readChunks(db, sealer, upload)) hash.update(bytes as Buffer)
    const sha1 = hash.digest()
    await setSha1(db, upload.id, sha1)
    return sha1
  }

  /** Returns the id of the file in the store. */
  const store = async (upload: WaitingUpload): Promise<string> => {
    const content: Content = {
      name: upload.name,
      size: upload.size,
      sha1: (await sha1Of(upload)).toString('hex'),
      open: () => readChunks(db, sealer, upload),
    }
    // The provider's staff may have added a file of that name, or removed the file. The veteran's file must be stored
    // anyway.
    const withFreeName = async (send: (content: Content) => Promise<string>) =>
      (await undefinedIf(['name_taken'], () => send(content))) ??
      send({ ...content, name: alternativeName(upload.name, content.sha1) })
    const { userId, boxFileId } = upload
    const folder = await folderOf(upload)
    if (boxFileId) {
      const replace = (as: Content) =>
        folders.withOwn(userId, boxFileId, (isOwn) => files.replace(boxFileId, as, isOwn))
      const replaced = await undefinedIf(['not_found', 'misplaced'], () =>
        withFreeName((as) => replace(as).then(() => boxFileId)),
      )
      if (replaced) return replaced
    }
    const stored = await undefinedIf(['not_found'], () =>
      withFreeName((as) => files.upload(folder, as)),
    )
    // Staff must see that the folder is gone: its files may be gone with it.
    return stored ?? folders.vanished(userId, folder)
  }

  /** Returns whether there may be another upload. */
  const storeNext = async (claim: Claim): Promise<boolean> => {
    const { documentId } = claim
    const upload = await nextUpload(db, documentId)
    if (!upload || upload.refused) return false
    try {
      const boxFileId = await store(upload)
      await db.transaction().execute(async (tx) => {
        await lockClaim(tx, claim)
        await markStored(tx, upload.id)
        await setBoxFileId(tx, documentId, boxFileId)
        await outbox.add(tx, { userId: upload.userId, kind: 'document', entityId: documentId })
      })
      return true
    } catch (error) {
      if (!(error instanceof FilesRefused)) throw error
      log.error({ err: error, kind: 'upload' }, 'uploads: the file store refused a file')
      const { code } = error
      await db.transaction().execute(async (tx) => {
        await lockClaim(tx, claim)
        await markUploadRefused(tx, upload.id, code)
      })
      return false
    }
  }

  // A transfer takes minutes, too long to hold a connection for a lock.
  return work(storeDocument, async ({ documentId }, { signal }) => {
    const claim = { documentId, by: randomUUID() }
    if (!(await claimDocument(db, claim, CLAIM_SECONDS))) return
    const lost = new AbortController()
    const renew = async () => {
      try {
        if (!(await renewClaim(db, claim, CLAIM_SECONDS))) lost.abort()
      } catch (err) {
        log.warn({ err }, 'uploads: claim not renewed')
      }
    }
    const timer = setInterval(() => void renew(), RENEW_MS)
    // Let the claim expire: the transfer of a job that timed out may still hang, and the next try must not wait for it.
    signal.addEventListener('abort', () => clearInterval(timer))
    try {
      while (!lost.signal.aborted && !signal.aborted && (await storeNext(claim)));
    } finally {
      clearInterval(timer)
      await releaseClaim(db, claim)
    }
  })
}

async function undefinedIf<T>(
  codes: readonly string[],
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof FilesRefused && codes.includes(error.code)) return undefined
    throw error
  }
}

/** The name helps the provider's staff to find the folder; the id distinguishes namesakes. */
function folderName(person: { userId: string; firstName: string; lastName: string }) {
  const name = `${person.lastName}, ${person.firstName}`.replaceAll(/[/\\\p{Cc}]/gu, ' ').trim()
  return `${name.slice(0, 180)} (${person.userId.slice(-12)})`
}

/** A name for a file whose own name is taken in the file store. */
export function alternativeName(name: string, sha1: string): string {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  return withEnding(stem, ` (${sha1.slice(0, 8)})${extension}`)
}
