import { DOCUMENT_MAX_BYTES, fileTooLarge, uploadsBusy } from '@guidon/contract/document-refusals'
import { documentExists, replaceDocument, uploadDocument } from '@guidon/contract/documents'
import type { Document } from '@guidon/contract/documents'
import { notFound } from '@guidon/contract/refusal'
import { tooManyUnfinished, uploadIncomplete } from '@guidon/contract/resumable-uploads'
import type { UnfinishedUpload, UploadMetadata } from '@guidon/contract/resumable-uploads'
import type { Queryable } from '../../../db/database.ts'
import { safeName } from '../../../files/checks/safe-name.ts'
import { RefusalError, refuse, refuseInput } from '../../../http/refuse.ts'
import type { Log } from '../../../platform/log.ts'
import {
  findReplaceable,
  findRequested,
  isNameOfOtherFile,
  isNameTakenInCrm,
} from '../documents.sql.ts'
import { findDocument } from '../listed-documents.sql.ts'
import { readChunks } from '../receive/chunks.ts'
import type { uploadQuota } from '../receive/quota.ts'
import { withPath, write } from '../receive/receive.ts'
import type { Receiving } from '../receive/receive.ts'
import type { Uploads } from '../upload.ts'
import { append } from './append.ts'
import type { AppendParts, Part } from './append.ts'
import {
  deleteUnfinished,
  extendExpiry,
  findUnfinished,
  insertResumable,
  listUnfinished,
  setName,
  setRefused,
} from './unfinished.sql.ts'
import type { Unfinished } from './unfinished.sql.ts'

const FULL_RETRY_SECONDS = 60
/** Longer than the checks of a file can take. */
const FINISH_MINUTES = 10

interface Finished {
  document: Document
  isNew: boolean
}

/** Uploads that continue after a lost connection. They belong to the account, and any process can continue them. */
export interface ResumableUploads {
  listOf(userId: string): Promise<UnfinishedUpload[]>
  create(userId: string, size: number, metadata: UploadMetadata): Promise<Unfinished>
  find(userId: string, id: string): Promise<Unfinished>
  append(userId: string, id: string, part: Part): Promise<Unfinished>
  delete(userId: string, id: string): Promise<void>
  /**
   * Checks the file and makes it a document. `isNew` is false if it was one already. A name that is taken is refused, and
   * the bytes stay for another call with another `name`.
   */
  finish(userId: string, id: string, name?: string): Promise<Finished>
}

export interface ResumableParts extends Omit<AppendParts, 'admission' | 'pace'> {
  receiving: Receiving
  uploads: Uploads
  quota: ReturnType<typeof uploadQuota>
  /** Of all accounts together. */
  unfinishedMaxBytes: number
  log: Pick<Log, 'warn'>
}

export function resumableUploads(parts: ResumableParts): ResumableUploads {
  const { db, sealer, receiving, uploads, quota, unfinishedMaxBytes, log } = parts
  const { directory, admission, pace } = receiving
  const finishing = new Map<string, Promise<Finished>>()

  const find = async (userId: string, id: string) => {
    const upload = await findUnfinished(db, userId, id)
    if (!upload) throw refuse(notFound)
    return upload
  }

  /** Writes the chunks to a file first, because the checks need one. */
  const makeDocument = async (userId: string, upload: Unfinished): Promise<Finished> => {
    const { id, name, size, fields } = upload
    const { replaces } = fields
    const admitted = await admission.admit({ userId }, { bytes: size, isNew: false })
    let failure: unknown
    try {
      await extendExpiry(db, id, FINISH_MINUTES)
      return await withPath(directory, async (path) => {
        const stored = readChunks(db, sealer, { id, userId, size })
        const written = await write(stored as AsyncIterable<Buffer>, path, admitted)
        if (written.size !== size) throw new Error('uploads: a chunk has the wrong size')
        const file = { path, name, ...written, fields: {}, unfinishedId: id }
        if (replaces === undefined) {
          return uploads.add(userId, file, uploadDocument.form.parse(fields))
        }
        const form = replaceDocument.form.parse(fields)
        return { document: await uploads.replace(userId, replaces, file, form), isNew: false }
      })
    } catch (error) {
      failure = error
      if (error instanceof RefusalError && isFinal(error, upload))
        await setRefused(db, id, error.refusal)
      throw error
    } finally {
      await admitted.release(failure)
    }
  }

  const findFinished = async ({ documentId }: Unfinished): Promise<Finished | undefined> => {
    const document = documentId === null ? undefined : await findDocument(db, documentId)
    return document && { document, isNew: false }
  }

  const finish = async (userId: string, id: string, filename?: string): Promise<Finished> => {
    const upload = await find(userId, id)
    if (upload.refusal) throw refuse(upload.refusal)
    if (upload.received < upload.size) throw refuse(uploadIncomplete)
    const finished = await findFinished(upload)
    if (finished) return finished
    const name = filename === undefined ? upload.name : safeName(filename)
    if (upload.fields['replaces'] === undefined)
      await requireFreeName(db, { ...upload, userId, name })
    if (name !== upload.name) await setName(db, id, name)
    try {
      return await makeDocument(userId, { ...upload, name })
    } catch (error) {
      // Another process may have finished or refused it meanwhile, and the chunks may be gone.
      const current = await findUnfinished(db, userId, id)
      const other = current && (await findFinished(current))
      if (other) return other
      if (!current) throw refuse(notFound)
      throw current.refusal ? refuse(current.refusal) : error
    }
  }

  return {
    listOf: async (userId) => {
      const listed = await listUnfinished(db, userId)
      return listed.map(({ id, name, size, offset, expiresAt, chunks, fields }) => {
        const { documentType = null, documentId = null, replaces = null, note = null } = fields
        const form = { documentType, documentId, replaces, note }
        return Object.assign(form, { id, name, size, offset, expiresAt, chunks })
      })
    },
    create: async (userId, size, { filename, ...metadata }) => {
      if (size > DOCUMENT_MAX_BYTES) throw refuse(fileTooLarge)
      const fields = fieldsOf(metadata)
      const name = safeName(filename ?? '')
      await requirePossible(db, { userId, name, size, fields })
      await quota.requireQuota(userId, size)
      const upload = await insertResumable(db, { userId, name, fields, size }, unfinishedMaxBytes)
      if (upload === 'account is full') throw refuse(tooManyUnfinished)
      if (upload === 'all is full') {
        log.warn('uploads: too many unfinished bytes')
        throw refuse(uploadsBusy, { retryAfterSeconds: FULL_RETRY_SECONDS })
      }
      try {
        // After the insert, so that a refusal above does not use up the day's tries and bytes.
        await quota.countTry(userId, size)
        return upload
      } catch (error) {
        await deleteUnfinished(db, upload.id)
        throw error
      }
    },
    find,
    append: append({ db, sealer, admission, pace }),
    delete: async (userId, id) => {
      await find(userId, id)
      if (!(await deleteUnfinished(db, id))) throw refuse(notFound)
    },
    finish: async (userId, id, name) => {
      const key = `${userId} ${id}`
      const running = finishing.get(key)
      if (running) return { ...(await running), isNew: false }
      const started = finish(userId, id, name).finally(() => finishing.delete(key))
      finishing.set(key, started)
      return started
    },
  }
}

/** Refuses what would be refused at the end, before the file is sent. `finish` checks it again. */
async function requirePossible(
  db: Queryable,
  upload: Pick<Unfinished, 'name' | 'size' | 'fields'> & { userId: string },
): Promise<void> {
  const { userId, name, size, fields } = upload
  const { documentId, replaces } = fields
  if (replaces !== undefined) {
    if (!(await findReplaceable(db, userId, replaces))) throw refuse(notFound)
    return
  }
  if (documentId && !(await findRequested(db, userId, documentId))) throw refuse(notFound)
  await requireFreeName(db, { userId, name, size })
}

async function requireFreeName(
  db: Queryable,
  { userId, name, size }: { userId: string; name: string; size: number },
): Promise<void> {
  const isTaken =
    (await isNameTakenInCrm(db, userId, name)) ||
    (await isNameOfOtherFile(db, { userId, name, size }))
  if (isTaken) throw refuse(documentExists)
}

/** Whether another try would be refused, too. A 5xx refusal is temporary, and a new document can get another name. */
function isFinal({ refusal }: RefusalError, { fields }: Unfinished): boolean {
  if (refusal.code === documentExists.code) return fields['replaces'] !== undefined
  return refusal.status < 500
}

/** The fields of the form, by the rules for a file in one request. */
function fieldsOf({ replaces, ...form }: Omit<UploadMetadata, 'filename'>): Unfinished['fields'] {
  const schema = replaces === undefined ? uploadDocument.form : replaceDocument.form
  const parsed = schema.safeParse(form)
  if (!parsed.success) throw refuseInput(parsed.error.issues)
  if (replaces === undefined) return parsed.data
  const target = replaceDocument.params.safeParse({ id: replaces })
  if (!target.success) throw refuseInput(target.error.issues)
  return { ...parsed.data, replaces: target.data.id }
}
