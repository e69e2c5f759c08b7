import type { Refusal } from '@guidon/contract/refusal'
import { UNFINISHED_HOURS, UNFINISHED_MAX } from '@guidon/contract/resumable-uploads'
import type { UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { sql } from 'kysely'
import type { Generated, JSONColumnType } from 'kysely'
import { z } from 'zod'
import { isoTime } from '../../../db/case-rules.ts'
import { rowsOf, statement } from '../../../db/database.ts'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { deleteExpired } from '../../../db/retention.ts'
import type { Sealed } from '../../../platform/crypto/sealer.ts'

type Fields = Record<string, string | undefined>

interface UnfinishedUploads {
  id: Generated<string>
  user_id: string
  /** Null if the file arrives in a single request, which cannot be continued. */
  name: string | null
  fields: JSONColumnType<Fields>
  size: string
  received: Generated<string>
  expires_at: Date
  document_id: string | null
  refusal: JSONColumnType<Refusal> | null
}

declare module '../../../db/schema.ts' {
  interface Schema {
    unfinished_uploads: UnfinishedUploads
  }
}

export interface Unfinished {
  id: string
  name: string
  fields: Fields
  size: number
  /** How many bytes are stored. */
  received: number
  expiresAt: Date
  /** The document that it has become. */
  documentId: string | null
  /** Why the file was refused. */
  refusal: Refusal | null
}

const FIELDS = sql`id, name, fields, size::float8 as size, received::float8 as received,
  expires_at as "expiresAt", document_id as "documentId", refusal`

const isOpen = sql`name is not null and document_id is null and refusal is null and expires_at > now()`

/** Counts whole files, not what has arrived: an upload that was started can always be finished. */
export function insertResumable(
  db: Database,
  upload: Pick<Unfinished, 'name' | 'fields' | 'size'> & { userId: string },
  maxBytes: number,
): Promise<Unfinished | 'account is full' | 'all is full'> {
  const { userId, name, fields, size } = upload
  return db.transaction().execute(async (tx) => {
    // Concurrent requests of one account wait here, so that they count each other.
    await sql`select from users where id = ${userId} for no key update`.execute(tx)
    if ((await openBytes(tx)) + size > maxBytes) return 'all is full'
    const rows = await rowsOf(
      tx,
      sql<Unfinished>`
        insert into unfinished_uploads (user_id, name, fields, size, expires_at)
        select ${userId}, ${name}, ${JSON.stringify(fields)}::jsonb, ${size}::bigint,
          now() + make_interval(hours => ${UNFINISHED_HOURS})
        where (select count(*) from unfinished_uploads where user_id = ${userId} and ${isOpen})
          < ${UNFINISHED_MAX}
        returning ${FIELDS}`,
    )
    return rows[0] ?? 'account is full'
  })
}

async function openBytes(db: Queryable): Promise<number> {
  const [open] = await rowsOf(
    db,
    sql<{ bytes: number }>`select coalesce(sum(size), 0)::float8 as bytes from unfinished_uploads
      where document_id is null and refusal is null`,
  )
  return open!.bytes
}

const insertWithoutName = statement<{ id: string }>(`
  with quick as materialized (select set_config('synchronous_commit', 'off', true))
  insert into unfinished_uploads (user_id, size, expires_at)
  select $1::uuid, $2::bigint, now() + make_interval(mins => $3::int) from quick
  returning id`)

/** For a file that arrives in a single request and cannot be continued. Returns the id of the upload. */
export async function insertSingleRequestUpload(
  db: Queryable,
  { userId, size, minutes }: { userId: string; size: number; minutes: number },
): Promise<string> {
  const [inserted] = await insertWithoutName(db, userId, size, minutes)
  return inserted!.id
}

/** Also finds one that has become a document or was refused. */
export async function findUnfinished(
  db: Queryable,
  userId: string,
  id: string,
): Promise<Unfinished | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined
  const rows = await rowsOf(
    db,
    sql<Unfinished>`
      select ${FIELDS} from unfinished_uploads
      where id = ${id} and user_id = ${userId} and name is not null and expires_at > now()`,
  )
  return rows[0]
}

export interface ListedUpload extends Pick<Unfinished, 'id' | 'name' | 'fields' | 'size'> {
  offset: number
  expiresAt: string
  chunks: UnfinishedUpload['chunks']
}

export function listUnfinished(db: Queryable, userId: string): Promise<ListedUpload[]> {
  return rowsOf(
    db,
    sql<ListedUpload>`
      select id, name, fields, size::float8 as size, received::float8 as offset,
        ${sql.raw(isoTime('expires_at'))} as "expiresAt",
        array(
          select jsonb_build_object('start', start, 'sha256', encode(sha256, 'hex')) from upload_chunks
          where upload_id = unfinished_uploads.id order by start) as chunks
      from unfinished_uploads where user_id = ${userId} and ${isOpen} order by id`,
  )
}

export interface NewChunk extends Sealed {
  uploadId: string
  /** How many bytes of the file are stored before and after. */
  start: number
  end: number
  /** Of the bytes before encryption; only needed for an upload that can be continued. */
  sha256: Buffer | null
}

/**
 * The chunk is lost if PostgreSQL crashes within the next moment: a client then continues at an earlier offset. The
 * commit that finishes the upload waits for the disk, and with that also for everything that was written before it.
 */
const storeChunk = statement<{ start: number }>(`
  with quick as materialized (select set_config('synchronous_commit', 'off', true)),
  advanced as (
    update unfinished_uploads set received = $3 from quick
    where id = $1 and received = $2 and document_id is null and refusal is null
      and expires_at > now()
    returning id)
  insert into upload_chunks (upload_id, start, key_id, bytes, sha256)
  select id, $2::int, $4, $5::bytea, $6::bytea from advanced
  returning start`)

/** Returns false if another request has stored something meanwhile, or the upload accepts no more chunks. */
export async function appendChunk(db: Queryable, chunk: NewChunk): Promise<boolean> {
  const { uploadId, start, end, keyId, bytes, sha256 } = chunk
  return (await storeChunk(db, uploadId, start, end, keyId, bytes, sha256)).length > 0
}

/**
 * Keeps an upload while its file is checked, until an hour after its first expiry at most. The id (UUIDv7) contains the
 * creation time.
 */
export async function extendExpiry(db: Queryable, id: string, minutes: number): Promise<void> {
  await sql`
    update unfinished_uploads
    set expires_at = greatest(expires_at, least(now() + make_interval(mins => ${minutes}),
      uuid_extract_timestamp(id) + make_interval(hours => ${UNFINISHED_HOURS + 1})))
    where id = ${id}`.execute(db)
}

/** Returns undefined if the upload is gone. */
export async function lockUnfinished(tx: Tx, id: string) {
  return tx
    .selectFrom('unfinished_uploads')
    .select(['document_id as documentId', 'refusal', sql<number>`received::float8`.as('received')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** If the file arrived in a single request, deletes the row instead: no later call can ask for it. */
export async function setFinished(tx: Tx, id: string, documentId: string): Promise<void> {
  await tx.deleteFrom('unfinished_uploads').where('id', '=', id).where('name', 'is', null).execute()
  await tx
    .updateTable('unfinished_uploads')
    .set({ document_id: documentId })
    .where('id', '=', id)
    .execute()
}

export async function setName(db: Queryable, id: string, name: string): Promise<void> {
  await db.updateTable('unfinished_uploads').set({ name }).where('id', '=', id).execute()
}

/** Deletes its chunks. Without effect for one that has become a document. */
export async function setRefused(db: Queryable, id: string, refusal: Refusal): Promise<void> {
  await sql`
    with refused as (
      update unfinished_uploads set refusal = ${JSON.stringify(refusal)}::jsonb
      where id = ${id} and document_id is null returning id)
    delete from upload_chunks where upload_id in (select id from refused)`.execute(db)
}

/** With its chunks. Returns false if it is gone already or has become a document. */
export async function deleteUnfinished(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('unfinished_uploads')
    .where('id', '=', id)
    .where('document_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const deleteDue = deleteExpired('unfinished_uploads', { expiry: 'expires_at' })

/** Deletes up to `limit` of them, with their chunks. Returns how many. */
export const deleteExpiredUploads = (db: Queryable, limit: number): Promise<number> =>
  deleteDue(db, 0, limit)

export async function unfinishedState(db: Queryable) {
  return db
    .selectFrom('unfinished_uploads')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(received), 0)::float8`.as('bytes'),
    ])
    .where('document_id', 'is', null)
    .where('refusal', 'is', null)
    .executeTakeFirstOrThrow()
}
