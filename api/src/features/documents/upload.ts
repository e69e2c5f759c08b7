import { availableParallelism } from 'node:os'
import { cannotCheckFiles } from '@guidon/contract/document-refusals'
import { documentExists } from '@guidon/contract/documents'
import type { Document } from '@guidon/contract/documents'
import { notFound } from '@guidon/contract/refusal'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Tx } from '../../db/database.ts'
import { checkFile } from '../../files/checks/check-file.ts'
import type { FileKind } from '../../files/checks/check-file.ts'
import type { Scanner } from '../../files/checks/clamd.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { fairSemaphore, QueueFull } from '../../platform/fair-semaphore.ts'
import { checkPriority } from './check-priority.ts'
import { chunksOf, keepChunks } from './chunks.ts'
import {
  findByName,
  findDocument,
  findReplaceable,
  findRequested,
  freeRemoved,
  insertDocument,
  isNameTakenInCrm,
  setContent,
} from './documents.sql.ts'
import { namedAs } from './named-as.ts'
import type { Received } from './receive.ts'
import { RECEIPT_AFTER_SECONDS, sendReceipt } from './send-receipt.ts'
import { storeDocument } from './store-document.ts'
import { countWaiting, insertUpload } from './uploads.sql.ts'

/** A check may take a gigabyte for a moment, where a file is made to take it. */
const CHECKS_AT_ONCE = 2 * availableParallelism()
/** With the check itself, below the 60 seconds for which a screen waits for the verdict. */
const CHECK_WAIT_MS = 25_000
const CHECK_RETRY_SECONDS = 60

export interface UploadParts {
  db: Database
  sealer: Sealer
  scanner: Scanner
  jobs: Jobs
}

export interface Uploads {
  /** Accepted, and durable. `isNew` is false where the very same file was there: a repeat after a lost answer. */
  add(
    userId: string,
    file: Received,
    about: { documentType: string; documentId?: string | undefined },
  ): Promise<{ document: Document; isNew: boolean }>
  replace(userId: string, id: string, file: Received): Promise<Document>
}

/** A file that passed, with what its content says of it. */
interface Checked extends Received {
  kind: FileKind
  hasScripts: boolean
}

export function uploads({ db, sealer, scanner, jobs }: UploadParts): Uploads {
  const checks = fairSemaphore({
    atOnce: CHECKS_AT_ONCE,
    atOncePerKey: 1,
    waitMs: CHECK_WAIT_MS,
  })
  const priorityOf = checkPriority()
  /** Answers the file under a name that says what it is: a page by name would be one to whoever opens it. */
  const checked = async (userId: string, file: Received): Promise<Checked> => {
    const check = () => checkFile(file.path, { scanner, priority: priorityOf(userId) })
    const verdict = await checks.run(userId, check).catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error
      throw refuse(cannotCheckFiles, { retryAfterSeconds: CHECK_RETRY_SECONDS })
    })
    if ('refusal' in verdict) throw refuse(verdict.refusal)
    const { kind, flags } = verdict
    return { ...file, name: namedAs(kind, file.name), kind, hasScripts: flags.includes('scripts') }
  }

  /** The bytes, the way to the store and the receipt: all of it with the document's row, or nothing. */
  const keep = async (tx: Tx, userId: string, documentId: string, file: Received) => {
    const { size, sha1 } = file
    const chunks = chunksOf(size)
    const uploadId = await insertUpload(tx, { documentId, userId, size, sha1, chunks })
    await keepChunks(tx, sealer, uploadId, file.path)
    const turn = await countWaiting(tx, userId)
    await jobs.send(storeDocument, { documentId }, tx, { turn })
    await jobs.send(sendReceipt, { userId }, tx, { turn, afterSeconds: RECEIPT_AFTER_SECONDS })
  }

  const shown = async (tx: Tx, id: string) => {
    const document = await findDocument(tx, id)
    if (!document) throw new Error('A document vanished in its own transaction')
    return document
  }

  const asked = async (userId: string, documentId: string | undefined) => {
    if (!documentId) return undefined
    const requested = await findRequested(db, userId, documentId)
    if (!requested) throw refuse(notFound)
    return requested.id
  }

  return {
    add: async (userId, received, { documentType, documentId }) => {
      const crmId = await asked(userId, documentId)
      const file = await checked(userId, received)
      return db.transaction().execute(async (tx) => {
        await freeRemoved(tx, userId)
        if (await isNameTakenInCrm(tx, userId, file.name)) throw refuse(documentExists)
        const { name, size, sha256, hasScripts } = file
        const row = { userId, name, type: documentType, crmId, size, sha256, hasScripts }
        const id = await insertDocument(tx, row)
        if (!id) {
          const existing = await findByName(tx, userId, name)
          if (!existing?.sha256.equals(sha256)) throw refuse(documentExists)
          return { document: await shown(tx, existing.id), isNew: false }
        }
        await keep(tx, userId, id, file)
        await recordEvent(tx, {
          event: 'document_uploaded',
          actorId: userId,
          subjectId: userId,
          details: detailsOf(file),
        })
        return { document: await shown(tx, id), isNew: true }
      })
    },

    replace: async (userId, id, received) => {
      const file = await checked(userId, received)
      return db.transaction().execute(async (tx) => {
        const found = await findReplaceable(tx, userId, id)
        if (!found) throw refuse(notFound)
        // The new version may be of another kind, and the name says what a file is.
        const version = { ...file, name: namedAs(file.kind, found.name) }
        await freeRemoved(tx, userId)
        const own = found.id ?? (await adopt(tx, userId, found, version))
        const isRenamed = version.name.toLowerCase() !== found.name.toLowerCase()
        if (isRenamed && (await isNameTakenInCrm(tx, userId, version.name))) {
          throw refuse(documentExists)
        }
        if (!(await setContent(tx, own, version))) throw refuse(documentExists)
        await keep(tx, userId, own, version)
        await recordEvent(tx, {
          event: 'document_replaced',
          actorId: userId,
          subjectId: userId,
          details: detailsOf(file),
        })
        return shown(tx, own)
      })
    },
  }
}

const detailsOf = ({ hasScripts }: Checked) => (hasScripts ? { scripts: true } : {})

/** A file that did not come through the portal becomes one of ours with its first new version. */
async function adopt(
  tx: Tx,
  userId: string,
  found: NonNullable<Awaited<ReturnType<typeof findReplaceable>>>,
  file: Checked,
): Promise<string> {
  const id = await insertDocument(tx, {
    userId,
    name: file.name,
    type: found.type ?? '',
    crmId: found.crmId ?? undefined,
    ...(found.boxFileId && { boxFileId: found.boxFileId }),
    size: file.size,
    sha256: file.sha256,
    hasScripts: file.hasScripts,
  })
  if (!id) throw refuse(documentExists)
  return id
}
