import { sql } from 'kysely'
import { isUuid } from '../platform/uuid.ts'
import type { Queryable, Tx } from './database.ts'

/** The portal's own link wins over `portal_user_id`, because the CRM may not have received the link yet. */
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
      // Written like the partial index's condition: with a parameter PostgreSQL would not use the index.
      .where(sql<boolean>`not deleted`)
      .execute()
  )
}

/**
 * Returns the accounts that a contact is linked to, by the portal or, where the portal has no link, by the
 * CRM; undefined if there is no such contact. The contact stays locked until the transaction ends, so that
 * two accounts cannot be linked to it at once.
 */
export async function lockContactAndFindAccounts(
  tx: Tx,
  contactId: string,
): Promise<string[] | undefined> {
  const contact = await tx
    .selectFrom('crm_contact')
    .select('portal_user_id as portalUserId')
    .where('id', '=', contactId)
    .where('deleted', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!contact) return undefined
  const crmUserId = isUuid(contact.portalUserId ?? '') ? contact.portalUserId : null
  const { rows } = await sql<{ id: string }>`
    select id from users where salesforce_id = ${contactId}
    union
    select id from users where id = ${crmUserId}::uuid and salesforce_id is null
      and unlinked_from is distinct from ${contactId}
  `.execute(tx)
  return rows.map(({ id }) => id)
}
