import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { IS_OPEN_REQUEST } from '../../db/case-rules.ts'
import type { Queryable, Tx } from '../../db/database.ts'

interface Documents {
  id: Generated<string>
  user_id: string
  name: string
  type: string
  crm_id: string | null
  box_file_id: string | null
  size: string
  sha256: Buffer
  received_sha256: Buffer | null
  note: string | null
  uploaded_at: Generated<Date>
  has_scripts: Generated<boolean>
  request_name: string | null
  claimed_by: string | null
  claimed_until: Date | null
}

declare module '../../db/schema.ts' {
  interface Schema {
    documents: Documents
  }
}

export interface NewDocument {
  userId: string
  name: string
  type: string
  crmId?: string | undefined
  requestName?: string | null
  boxFileId?: string
  size: number
  sha256: Buffer
  /** Null if it is the same as `sha256`. */
  receivedSha256: Buffer | null
  hasScripts: boolean
  note: string | null
}

/** Returns the new id, or undefined if the name is taken or the requested document was sent already. */
export async function insertDocument(tx: Tx, row: NewDocument): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('documents')
    .values({
      user_id: row.userId,
      name: row.name,
      type: row.type,
      crm_id: row.crmId ?? null,
      request_name: row.requestName ?? null,
      box_file_id: row.boxFileId ?? null,
      size: String(row.size),
      sha256: row.sha256,
      received_sha256: row.receivedSha256,
      has_scripts: row.hasScripts,
      note: row.note,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function findByName(tx: Tx, userId: string, name: string) {
  const { rows } = await sql<{ id: string; sha256: Buffer; receivedSha256: Buffer | null }>`
    select id, sha256, received_sha256 as "receivedSha256" from documents
    where user_id = ${userId} and lower(name) = lower(${name})`.execute(tx)
  return rows[0]
}

/**
 * Whether another file has this name. A document of the same size may be this file, sent again after a lost response;
 * so may a cleaned photo, whose size as it was received is not known.
 */
export async function isNameOfOtherFile(
  db: Queryable,
  { userId, name, size }: { userId: string; name: string; size: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from documents d
    where d.user_id = ${userId} and lower(d.name) = lower(${name})
      and d.size <> ${size}::bigint and d.received_sha256 is null`.execute(db)
  return rows.length > 0
}

/** Whether the CRM has a file of that name that was not uploaded through the portal. */
export async function isNameTakenInCrm(
  db: Queryable,
  userId: string,
  name: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from case_document c
    where c.user_id = ${userId} and c.box_file_id is not null and lower(c.name) = lower(${name})
      and not exists (
        select from documents d
        where d.user_id = c.user_id and (d.crm_id = c.id or d.id::text = c.portal_document_id))`.execute(
    db,
  )
  return rows.length > 0
}

export interface DocumentRequest {
  id: string
  name: string | null
}

const isOpenRequest = sql.raw(IS_OPEN_REQUEST)

/** Finds the oldest request of this type without a file; the ids of the CRM grow with time. */
export async function findOpenRequest(
  tx: Tx,
  userId: string,
  type: string,
): Promise<DocumentRequest | undefined> {
  const { rows } = await sql<DocumentRequest>`
    select c.id, c.name from case_document c
    where c.user_id = ${userId} and lower(btrim(c.type)) = lower(${type}) and ${isOpenRequest}
    order by c.id collate "C" limit 1`.execute(tx)
  return rows[0]
}

/** Returns undefined for an account without a contact, whose requests are unknown. */
export async function countOpenRequests(
  db: Queryable,
  userId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ count: number | null }>`
    select case when u.has_contact then (
      select count(*)::int from case_document c
      where c.user_id = u.id and ${isOpenRequest}) end as count
    from users u where u.id = ${userId}`.execute(db)
  return rows[0]?.count ?? undefined
}

/**
 * Finds a document that was requested from this veteran and has no file yet. One with the veteran's own upload
 * is found too, so that a retry after a lost response succeeds.
 */
export async function findRequested(db: Queryable, userId: string, crmId: string) {
  const { rows } = await sql<DocumentRequest>`
    select c.id, c.name from case_document c
    where c.user_id = ${userId} and c.id = ${crmId}
      and (c.box_file_id is null or exists (
        select from documents d
        where d.user_id = c.user_id and (d.crm_id = c.id or d.id::text = c.portal_document_id)))`.execute(
    db,
  )
  return rows[0]
}

export interface Replaceable {
  /** Null if the document is only in the CRM. */
  id: string | null
  crmId: string | null
  boxFileId: string | null
  name: string
  type: string | null
}

/** Finds a file of this veteran by its id in the file store or by the id of the document. */
export async function findReplaceable(
  db: Queryable,
  userId: string,
  id: string,
): Promise<Replaceable | undefined> {
  const { rows } = await sql<Replaceable>`
    select d.id, d.crm_id as "crmId", d.box_file_id as "boxFileId", d.name, d.type
    from documents d
    where d.user_id = ${userId} and (d.box_file_id = ${id} or d.id::text = ${id})
    union all
    select null, c.id, c.box_file_id, c.name, c.type
    from case_document c where c.user_id = ${userId} and c.box_file_id = ${id}
    limit 1`.execute(db)
  return rows[0]
}

/** Returns false if the name is taken. */
export async function setContent(
  tx: Tx,
  id: string,
  content: Omit<NewDocument, 'userId' | 'type'>,
): Promise<boolean> {
  try {
    await tx
      .updateTable('documents')
      .set({
        name: content.name,
        size: String(content.size),
        sha256: content.sha256,
        received_sha256: content.receivedSha256,
        has_scripts: content.hasScripts,
        note: content.note,
        uploaded_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .execute()
    return true
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'documents_name') return false
    throw error
  }
}

export async function setBoxFileId(tx: Tx, id: string, boxFileId: string): Promise<void> {
  await tx.updateTable('documents').set({ box_file_id: boxFileId }).where('id', '=', id).execute()
}

/** Does nothing if another document answers this request meanwhile, because staff had requested it again. */
export async function setCrmId(tx: Tx, id: string, crmId: string): Promise<void> {
  await sql`update documents set crm_id = ${crmId} where id = ${id}
    and not exists (select from documents d where d.crm_id = ${crmId} and d.id <> ${id})`.execute(
    tx,
  )
}

export async function findForCrm(db: Queryable, id: string) {
  return db
    .selectFrom('documents')
    .select([
      'id as documentId',
      'crm_id as crmId',
      'user_id as userId',
      'name',
      'type',
      'box_file_id as boxFileId',
      'uploaded_at as uploadedAt',
      'note',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}
