import type { Role } from '@guidon/contract/account'
import { DELIVERIES_MAX, DELIVERY_DAYS } from '@guidon/contract/notices'
import type { Delivery } from '@guidon/contract/notices'
import { isoTime } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'

const selectDeliveries = statement<Delivery>(`
  select id, kinds, state, ${isoTime('queued_at')} as "queuedAt",
    ${isoTime('changed_at')} as "changedAt", result
  from deliveries where user_id = $1 and queued_at > now() - interval '${DELIVERY_DAYS} days'
    -- Empty until it is certain which notices it contains.
    and kinds <> '{}'
  order by queued_at desc, id limit ${DELIVERIES_MAX}`)

/** Newest first. */
export function deliveriesOf(db: Queryable, userId: string): Promise<Delivery[]> {
  return selectDeliveries(db, userId)
}

const selectAccount = statement<{ id: string; role: Role }>(
  `select id, role from users where id = $1`,
)

export async function findAccount(db: Queryable, id: string) {
  const [account] = await selectAccount(db, id)
  return account
}

/** For the export of an account. */
export async function noticeRecords(tx: Tx, userId: string) {
  const all = (table: 'notices' | 'deliveries' | 'notice_preferences') =>
    tx.selectFrom(table).selectAll().where('user_id', '=', userId).execute()
  return {
    notices: await all('notices'),
    emails: await all('deliveries'),
    emailSettings: await all('notice_preferences'),
  }
}
