import { sql } from 'kysely'
import type { Queryable, Tx } from './database.ts'

/** Whose each is: as we know it, else as the CRM says, which may not have heard of it yet. */
export async function findContactsByEmail(db: Queryable, email: string) {
  return (
    db
      .selectFrom('crm_contact')
      .leftJoin('users', 'users.salesforce_id', 'crm_contact.id')
      .select([
        'crm_contact.id',
        'crm_contact.email',
        'crm_contact.last_name as lastName',
        'crm_contact.phone',
        sql<string | null>`coalesce(users.id::text, portal_user_id)`.as('portalUserId'),
      ])
      .where('crm_contact.email', '=', email)
      // Word for word the condition of the index: with a parameter it could not be used.
      .where(sql<boolean>`not deleted`)
      .execute()
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The accounts that a contact belongs to: as we know it, and as the CRM says unless we know better.
 * Undefined where there is no such contact. It is held until the transaction ends, so that no two accounts
 * are given it at once.
 */
export async function holdersOfContact(tx: Tx, contactId: string): Promise<string[] | undefined> {
  const contact = await tx
    .selectFrom('crm_contact')
    .select('portal_user_id as portalUserId')
    .where('id', '=', contactId)
    .where('deleted', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!contact) return undefined
  const said = UUID.test(contact.portalUserId ?? '') ? contact.portalUserId : null
  const { rows } = await sql<{ id: string }>`
    select id from users where salesforce_id = ${contactId}
    union
    select id from users where id = ${said}::uuid and salesforce_id is null
      and unlinked_from is distinct from ${contactId}
  `.execute(tx)
  return rows.map(({ id }) => id)
}
