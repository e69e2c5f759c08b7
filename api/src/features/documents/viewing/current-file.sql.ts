import type { Role } from '@guidon/contract/account'
import { NEWEST_UPLOAD_FIRST } from '../../../db/case-rules.ts'
import { statement } from '../../../db/database.ts'
import type { Queryable } from '../../../db/database.ts'

export interface CurrentFile {
  name: string
  /** The newest version, as long as the file store does not have it. */
  upload: { id: string; userId: string; size: number } | null
  /** Null until the file store has a version. */
  boxFileId: string | null
  /** Of the newest version, in hexadecimal. Null for a file that is only in the CRM. */
  sha256: string | null
}

/** A document of the portal by its id or the CRM's, else a file that is only in the CRM. */
const selectFile = statement<CurrentFile>(`
  with owner as (select id from users where id = $1)
  select d.name, d.box_file_id as "boxFileId", encode(d.sha256, 'hex') as sha256, (
    select jsonb_build_object('id', u.id, 'userId', d.user_id, 'size', u.size) from uploads u
    where u.document_id = d.id and u.stored_at is null ${NEWEST_UPLOAD_FIRST} limit 1) as upload
  from owner join documents d on d.user_id = owner.id
    and (d.id::text = $2 or d.crm_id = $2)
  union all
  select coalesce(c.name, ''), c.box_file_id, null, null
  from owner join case_document c on c.user_id = owner.id and c.id = $2
  limit 1`)

/** Undefined if the account has no such document, or the document has no file. */
export async function findCurrentFile(
  db: Queryable,
  ownerId: string,
  id: string,
): Promise<CurrentFile | undefined> {
  const [file] = await selectFile(db, ownerId, id)
  return file && (file.upload || file.boxFileId) ? file : undefined
}

const selectOwner = statement<{ id: string; role: Role }>(
  `select id, role from users where id = $1`,
)

export async function findOwner(db: Queryable, id: string) {
  const [owner] = await selectOwner(db, id)
  return owner
}
