import type { Queryable } from './database.ts'

export async function findContactsByEmail(db: Queryable, email: string) {
  return db
    .selectFrom('crm_contact')
    .select(['id', 'email', 'last_name as lastName', 'phone', 'portal_user_id as portalUserId'])
    .where('email', '=', email)
    .where('deleted', '=', false)
    .execute()
}
