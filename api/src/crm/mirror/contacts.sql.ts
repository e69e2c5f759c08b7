import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'

/** A contact as the mirror has it. */
export interface MirroredContact {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  state: string | null
  boxFolderId: string | null
  deceased: boolean | null
  portalUserId: string | null
}

const FIELDS = sql.raw(`id, email, first_name as "firstName", last_name as "lastName", phone, state,
  box_folder_id as "boxFolderId", deceased, portal_user_id as "portalUserId"`)

export async function findContactsByEmail(db: Queryable, email: string) {
  const { rows } = await sql<MirroredContact>`
    select ${FIELDS} from crm_contact where email = ${email} and not deleted`.execute(db)
  return rows
}

/** Undefined if the mirror does not have the contact, or it is deleted. */
export async function findContact(
  db: Queryable,
  contactId: string,
): Promise<MirroredContact | undefined> {
  const { rows } = await sql<MirroredContact>`
    select ${FIELDS} from crm_contact where id = ${contactId} and not deleted`.execute(db)
  return rows[0]
}

export async function findContacts(
  db: Queryable,
  contactIds: readonly string[],
): Promise<Map<string, MirroredContact>> {
  if (contactIds.length === 0) return new Map()
  const { rows } = await sql<MirroredContact>`
    select ${FIELDS} from crm_contact where id = any(${contactIds}::text[]) and not deleted`.execute(
    db,
  )
  return new Map(rows.map((contact) => [contact.id, contact]))
}

/** Like `findContact`. Until the transaction ends, no other account is linked to the contact. */
export async function lockContact(tx: Tx, contactId: string): Promise<MirroredContact | undefined> {
  const { rows } = await sql<MirroredContact>`
    select ${FIELDS} from crm_contact where id = ${contactId} and not deleted
    for no key update`.execute(tx)
  return rows[0]
}
