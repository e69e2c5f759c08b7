import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { now } from '../../db/database.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Sealed } from '../../platform/crypto/sealer.ts'
import { REPEAT_SECONDS } from '../../platform/repeat.ts'

interface Uploads {
  id: Generated<string>
  document_id: string
  user_id: string
  size: string
  sha1: Buffer | null
  received_at: Generated<Date>
  stored_at: Date | null
  refused_at: Date | null
  refusal: string | null
  receipt_job: string | null
}

interface UploadChunks {
  upload_id: string
  start: number
  key_id: string
  bytes: Buffer
  sha256: Buffer | null
}

declare module '../../db/schema.ts' {
  interface Schema {
    uploads: Uploads
    upload_chunks: UploadChunks
  }
}

export interface NewUpload {
  /** Of the unfinished upload that has stored the chunks. */
  id?: string | undefined
  documentId: string
  userId: string
  size: number
}

export async function insertUpload(tx: Tx, upload: NewUpload): Promise<string> {
  const { id } = await tx
    .insertInto('uploads')
    .values({
      ...(upload.id !== undefined && { id: upload.id }),
      document_id: upload.documentId,
      user_id: upload.userId,
      size: String(upload.size),
      // Not the start of the transaction: versions of a document are stored in the order of this time, and a
      // transaction that started earlier may have waited for the other version.
      received_at: sql<Date>`clock_timestamp()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The document, if its newest version was received a moment ago and not refused. */
export async function findRecentVersion(tx: Tx, documentId: string) {
  const { rows } = await sql<{
    id: string
    note: string | null
    sha256: Buffer
    receivedSha256: Buffer | null
  }>`
    select id, note, sha256, received_sha256 as "receivedSha256" from documents
    where id = ${documentId} and exists (
      select from uploads where document_id = documents.id and refused_at is null
        and received_at > now() - make_interval(secs => ${REPEAT_SECONDS}))
    for update`.execute(tx)
  return rows[0]
}

export interface DailyQuota {
  files: number
  bytes: number
}

/** Seconds until an account may send these bytes, by its uploads of the last 24 hours; 0 means now. */
export async function secondsUntilQuota(
  db: Queryable,
  userId: string,
  bytes: number,
  quota: DailyQuota,
): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    with sent as (
      select received_at, row_number() over latest as files, sum(size) over latest as bytes
      from uploads where user_id = ${userId} and received_at > now() - interval '1 day'
      window latest as (order by received_at desc, id desc))
    -- The newest upload that must become a day old first.
    select ceil(extract(epoch from max(received_at) + interval '1 day' - now()))::int as seconds
    from sent where files >= ${quota.files} or bytes + ${bytes} > ${quota.bytes}`.execute(db)
  const [found] = rows
  return found?.seconds ?? 0
}

export async function countWaitingUploads(db: Queryable, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('stored_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertChunk(
  tx: Tx,
  uploadId: string,
  start: number,
  { keyId, bytes }: Sealed,
): Promise<void> {
  await tx
    .insertInto('upload_chunks')
    .values({ upload_id: uploadId, start, key_id: keyId, bytes })
    .execute()
}

/** Those that start in this part of the file, in order. */
export async function findChunks(
  db: Queryable,
  uploadId: string,
  { from, below }: { from: number; below: number },
): Promise<(Sealed & { start: number })[]> {
  return db
    .selectFrom('upload_chunks')
    .select(['start', 'key_id as keyId', 'bytes'])
    .where('upload_id', '=', uploadId)
    .where('start', '>=', from)
    .where('start', '<', below)
    .orderBy('start')
    .execute()
}

export type WaitingUpload = NonNullable<Awaited<ReturnType<typeof nextUpload>>>

/** A document's oldest upload that the file store does not have yet. A refused one blocks those after it. */
export async function nextUpload(db: Queryable, documentId: string) {
  return db
    .selectFrom('uploads')
    .innerJoin('documents', 'documents.id', 'uploads.document_id')
    .innerJoin('users', 'users.id', 'documents.user_id')
    .select([
      'uploads.id',
      'uploads.document_id as documentId',
      'documents.user_id as userId',
      sql<number>`uploads.size::float8`.as('size'),
      'uploads.sha1',
      'documents.name',
      'documents.box_file_id as boxFileId',
      'users.first_name as firstName',
      'users.last_name as lastName',
      sql<boolean>`uploads.refused_at is not null`.as('refused'),
    ])
    .where('uploads.document_id', '=', documentId)
    .where('uploads.stored_at', 'is', null)
    .orderBy('uploads.received_at')
    .orderBy('uploads.id')
    .limit(1)
    .executeTakeFirst()
}

/** So that a retry need not read the whole file for it. */
export async function setSha1(db: Queryable, id: string, sha1: Buffer): Promise<void> {
  await db.updateTable('uploads').set({ sha1 }).where('id', '=', id).execute()
}

/** Also deletes the chunks, because the file store has the bytes now. */
export async function markStored(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('uploads').set({ stored_at: now }).where('id', '=', id).execute()
  await deleteChunks(tx, id)
}

export async function deleteChunks(tx: Tx, uploadId: string): Promise<void> {
  await tx.deleteFrom('upload_chunks').where('upload_id', '=', uploadId).execute()
}

export async function markUploadRefused(db: Queryable, id: string, refusal: string): Promise<void> {
  await db.updateTable('uploads').set({ refused_at: now, refusal }).where('id', '=', id).execute()
}

/** When the veteran sends a document again, the new file replaces the refused ones and must not wait behind them. */
export async function deleteRefusedUploads(tx: Tx, documentId: string): Promise<void> {
  await tx
    .deleteFrom('uploads')
    .where('document_id', '=', documentId)
    .where('stored_at', 'is', null)
    .where('refused_at', 'is not', null)
    .execute()
}

/** Documents with waiting uploads, numbered for each owner from the oldest. */
export async function documentsWaiting(
  db: Queryable,
): Promise<{ documentId: string; position: number }[]> {
  const { rows } = await sql<{ documentId: string; position: number }>`
    select document_id as "documentId",
      (row_number() over (partition by user_id order by min(received_at)))::int as position
    from uploads where stored_at is null group by user_id, document_id`.execute(db)
  return rows
}

export async function clearUploadRefusals(tx: Tx): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ refused_at: null, refusal: null })
    .where('stored_at', 'is', null)
    .execute()
}

export async function uploadState(db: Database) {
  return db
    .selectFrom('uploads')
    .select([
      sql<number>`count(*)::int`.as('waiting'),
      sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'),
      sql<number | null>`extract(epoch from now() - min(received_at))::int`.as('oldestSeconds'),
      sql<number>`count(refused_at)::int`.as('refused'),
      sql<string[] | null>`array_agg(distinct refusal) filter (where refusal is not null)`.as(
        'refusals',
      ),
    ])
    .where('stored_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Assigns all unconfirmed uploads to this job. Returns how many the job has, also when it is repeated. */
export async function takeForReceipt(db: Queryable, userId: string, job: string): Promise<number> {
  await db
    .updateTable('uploads')
    .set({ receipt_job: job })
    .where('user_id', '=', userId)
    .where('receipt_job', 'is', null)
    .execute()
  const { count } = await db
    .selectFrom('uploads')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('receipt_job', '=', job)
    .executeTakeFirstOrThrow()
  return count
}

/** `size` is that of the whole file, also while the upload is unfinished. */
export async function lockChunksOfKeys(tx: Tx, keyIds: string[], limit: number) {
  return tx
    .selectFrom('upload_chunks as c')
    .leftJoin('uploads', 'uploads.id', 'c.upload_id')
    .leftJoin('documents', 'documents.id', 'uploads.document_id')
    .leftJoin('unfinished_uploads as u', 'u.id', 'c.upload_id')
    .select([
      'c.upload_id as id',
      'c.start',
      'c.key_id as keyId',
      'c.bytes',
      sql<string>`coalesce(documents.user_id, u.user_id)`.as('userId'),
      sql<number>`coalesce(uploads.size, u.size)::float8`.as('size'),
    ])
    .where(sql<boolean>`c.key_id = any(${keyIds})`)
    .limit(limit)
    .forUpdate('c')
    .execute()
}

export async function updateChunk(
  tx: Tx,
  { id, start }: { id: string; start: number },
  { keyId, bytes }: Sealed,
): Promise<void> {
  await tx
    .updateTable('upload_chunks')
    .set({ key_id: keyId, bytes })
    .where('upload_id', '=', id)
    .where('start', '=', start)
    .execute()
}
