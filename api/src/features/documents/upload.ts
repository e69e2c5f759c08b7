import { availableParallelism } from 'node:os'
import { cannotCheckFiles } from '@guidon/contract/document-refusals'
import { documentExists, OTHER_CATEGORY } from '@guidon/contract/documents'
import type { Document } from '@guidon/contract/documents'
import { notFound } from '@guidon/contract/refusal'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Tx } from '../../db/database.ts'
import { checkFile } from '../../files/checks/check-file.ts'
import type { Checks, FileKind } from '../../files/checks/check-file.ts'
import { nameByKind } from '../../files/checks/name-by-kind.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import { fairSemaphore, QueueFull } from '../../platform/fair-semaphore.ts'
import {
  findByName,
  findOpenRequest,
  findReplaceable,
  findRequested,
  insertDocument,
  isNameTakenInCrm,
  setContent,
} from './documents.sql.ts'
import type { DocumentRequest, NewDocument } from './documents.sql.ts'
import { findDocument } from './listed-documents.sql.ts'
import { checkPriority } from './receive/account-load.ts'
import { storeChunks } from './receive/chunks.ts'
import { cleanedFile, isSameFile, keptBytes } from './receive/cleaned-file.ts'
import type { CleanedFile } from './receive/cleaned-file.ts'
import type { Received } from './receive/receive.ts'
import { lockUnfinished, setFinished } from './resumable/unfinished.sql.ts'
import { RECEIPT_AFTER_SECONDS, sendReceipt } from './store/send-receipt.ts'
import { storeDocument } from './store/store-document.ts'
import {
  countWaitingUploads,
  deleteChunks,
  deleteRefusedUploads,
  findRecentVersion,
  insertUpload,
} from './uploads.sql.ts'

/** A malicious file may make its check use a gigabyte of memory. */
const MAX_CONCURRENT_CHECKS = 2 * availableParallelism()
/** The browser waits 60 seconds for the response. This leaves 35 of them for the check, which usually suffice. */
const CHECK_WAIT_MS = 25_000
const CHECK_RETRY_SECONDS = 60

export interface UploadParts extends Checks {
  db: Database
  sealer: Sealer
  jobs: Jobs
}

export interface Uploads {
  /** Returns once the file is stored. `isNew` is false for a retry: the same file was stored before. */
  add(
    userId: string,
    file: Received,
    form: {
      documentType: string
      documentId?: string | undefined
      /** Present if a phone without a session sent the file. Runs in the transaction of the document. */
      fromPhone?: (tx: Tx, documentId: string) => Promise<void>
    } & Note,
  ): Promise<{ document: Document; isNew: boolean }>
  replace(userId: string, id: string, file: Received, form: Note): Promise<Document>
}

interface Note {
  note?: string | undefined
}

interface CheckedFile extends CleanedFile {
  kind: FileKind
  hasScripts: boolean
}

interface LockedUpload {
  /** What this upload has become already, by an earlier request whose response was lost. */
  finished?: Document
  /** Whether the chunks are those of the whole received file. */
  isStored: boolean
}

export function uploads({ db, sealer, jobs, scanner, checkers }: UploadParts): Uploads {
  const checks = fairSemaphore({
    maxRunning: MAX_CONCURRENT_CHECKS,
    maxRunningPerKey: 1,
    maxWaitMs: CHECK_WAIT_MS,
  })
  const priorityOf = checkPriority()
  /**
   * Refuses a file that fails the checks. Otherwise returns it with an extension that fits its content, because a
   * browser would open `x.html` as a page.
   */
  const check = async (userId: string, file: Received): Promise<CheckedFile> => {
    const run = () => checkFile(file.path, { scanner, checkers, priority: priorityOf(userId) })
    const verdict = await checks.run(userId, run).catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error
      throw refuse(cannotCheckFiles, { retryAfterSeconds: CHECK_RETRY_SECONDS })
    })
    if ('refusal' in verdict) throw refuse(verdict.refusal)
    const { kind, flags, clean } = verdict
    return {
      ...(await cleanedFile(file, clean)),
      name: nameByKind(kind, file.name),
      kind,
      hasScripts: flags.includes('scripts'),
    }
  }

  /** Stores the bytes and starts the jobs in the transaction of the document. */
  const storeUpload = async (
    tx: Tx,
    userId: string,
    documentId: string,
    file: CheckedFile & LockedUpload,
  ) => {
    const { size, unfinishedId, clean, isStored } = file
    await deleteRefusedUploads(tx, documentId)
    const uploadId = await insertUpload(tx, { id: unfinishedId, documentId, userId, size })
    if (unfinishedId !== undefined) await setFinished(tx, unfinishedId, documentId)
    if (!isStored || clean) {
      if (unfinishedId !== undefined) await deleteChunks(tx, unfinishedId)
      await storeChunks(tx, sealer, { id: uploadId, userId, size }, keptBytes(file.path, clean))
    }
    // The position of this upload among the waiting ones of the account.
    const turn = await countWaitingUploads(tx, userId)
    await jobs.send(storeDocument, { documentId }, tx, { turn })
    await jobs.send(sendReceipt, { userId }, tx, { turn, afterSeconds: RECEIPT_AFTER_SECONDS })
  }

  const requireDocument = async (tx: Tx, id: string) => {
    const document = await findDocument(tx, id)
    if (!document) throw new Error('documents: a row is missing in its own transaction')
    return document
  }

  const lock = async (tx: Tx, { unfinishedId, size }: Received): Promise<LockedUpload> => {
    if (unfinishedId === undefined) return { isStored: false }
    const unfinished = await lockUnfinished(tx, unfinishedId)
    if (!unfinished) throw refuse(notFound)
    const { documentId, received, refusal } = unfinished
    if (refusal) throw refuse(refusal)
    // Less if PostgreSQL has crashed meanwhile, because chunks are committed without waiting for the disk.
    if (documentId === null) return { isStored: received === size }
    return { isStored: true, finished: await requireDocument(tx, documentId) }
  }

  const requireRequest = async (userId: string, requestId: string) => {
    const requested = await findRequested(db, userId, requestId)
    if (!requested) throw refuse(notFound)
    return requested
  }

  return {
    add: async (userId, received, form) => {
      const { documentType, documentId: requestId, note, fromPhone } = form
      const requested = requestId ? await requireRequest(userId, requestId) : undefined
      const file = await check(userId, received)
      return db.transaction().execute(async (tx) => {
        const locked = await lock(tx, received)
        if (locked.finished) return { document: locked.finished, isNew: false }
        if (await isNameTakenInCrm(tx, userId, file.name)) throw refuse(documentExists)
        const row = { ...rowOf(file, note), userId, type: documentType }
        const id = await insertForRequest(tx, row, requested ?? (await openRequestFor(tx, row)))
        if (!id) {
          const existing = await findByName(tx, userId, file.name)
          if (!existing || !isSameFile(existing, file)) throw refuse(documentExists)
          if (file.unfinishedId !== undefined) {
            await deleteChunks(tx, file.unfinishedId)
            await setFinished(tx, file.unfinishedId, existing.id)
          }
          await fromPhone?.(tx, existing.id)
          return { document: await requireDocument(tx, existing.id), isNew: false }
        }
        await storeUpload(tx, userId, id, { ...file, ...locked })
        await fromPhone?.(tx, id)
        await recordEvent(tx, {
          event: 'document_uploaded',
          actorId: fromPhone ? undefined : userId,
          subjectId: userId,
          details: { ...detailsOf(file), ...(fromPhone && { phone: true }) },
        })
        return { document: await requireDocument(tx, id), isNew: true }
      })
    },

    replace: async (userId, id, received, { note }) => {
      const file = await check(userId, received)
      return db.transaction().execute(async (tx) => {
        const { finished, isStored } = await lock(tx, received)
        if (finished) return finished
        const found = await findReplaceable(tx, userId, id)
        if (!found) throw refuse(notFound)
        // The new version may be of another kind and then gets another extension.
        const version = { ...file, isStored, name: nameByKind(file.kind, found.name) }
        const latest = found.id && (await findRecentVersion(tx, found.id))
        if (latest && latest.note === (note || null) && isSameFile(latest, file)) {
          return requireDocument(tx, latest.id)
        }
        const row = rowOf(version, note)
        const documentId = found.id ?? (await insertFromCrm(tx, userId, found, row))
        const isRenamed = version.name.toLowerCase() !== found.name.toLowerCase()
        if (isRenamed && (await isNameTakenInCrm(tx, userId, version.name))) {
          throw refuse(documentExists)
        }
        if (!(await setContent(tx, documentId, row))) throw refuse(documentExists)
        await storeUpload(tx, userId, documentId, version)
        await recordEvent(tx, {
          event: 'document_replaced',
          actorId: userId,
          subjectId: userId,
          details: detailsOf(file),
        })
        return requireDocument(tx, documentId)
      })
    },
  }
}

/** The category Other does not tell which request is meant. */
async function openRequestFor(tx: Tx, { userId, type }: NewDocument) {
  return type === OTHER_CATEGORY ? undefined : findOpenRequest(tx, userId, type)
}

/** Returns the new id, or undefined if the name is taken. */
async function insertForRequest(
  tx: Tx,
  row: NewDocument,
  request: DocumentRequest | undefined,
): Promise<string | undefined> {
  if (!request) return insertDocument(tx, row)
  const id = await insertDocument(tx, { ...row, crmId: request.id, requestName: request.name })
  if (id || (await findByName(tx, row.userId, row.name))) return id
  // Another upload answered the request first. This one is for the next of its category, or for none.
  return insertForRequest(tx, row, await openRequestFor(tx, row))
}

const rowOf = (file: CheckedFile, note: string | undefined) => ({
  name: file.name,
  size: file.size,
  sha256: file.sha256,
  receivedSha256: file.receivedSha256,
  hasScripts: file.hasScripts,
  note: note || null,
})

const detailsOf = ({ hasScripts }: CheckedFile) => (hasScripts ? { scripts: true } : {})

/** Inserts our row for a file that was only in the CRM. */
async function insertFromCrm(
  tx: Tx,
  userId: string,
  found: NonNullable<Awaited<ReturnType<typeof findReplaceable>>>,
  row: Omit<NewDocument, 'userId' | 'type'>,
): Promise<string> {
  const id = await insertDocument(tx, {
    ...row,
    userId,
    type: found.type ?? '',
    crmId: found.crmId ?? undefined,
    ...(found.boxFileId && { boxFileId: found.boxFileId }),
  })
  if (!id) throw refuse(documentExists)
  return id
}
