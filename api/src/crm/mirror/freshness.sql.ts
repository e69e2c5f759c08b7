import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'
import { IS_CURRENT, isLinked } from '../links/links.sql.ts'

/** Whether a sign-in is worth a call to the CRM, and what a sign-up still waits for. */

/** Above this lag, a sign-in reads the veteran's records from the CRM. */
const STALE_SECONDS = 60
/** Staff who have just linked an account are likely to add to its records. */
const NEW_LINK_MINUTES = 5
/** A read that completed this long after a sign-up was sent after it: a call to the CRM usually takes less time. */
const READ_SECONDS = 10

/** A link of the same transaction has `live_at = now()` and does not count as new: its contact was read just now. */
const SELECT_REFRESH_DUE = statement(`
  select from links where user_id = $1 and ${IS_CURRENT}
    and not exists (select from crm_check where state <> 'fits')
    and ((origin <> 'portal' and live_at > now() - interval '${NEW_LINK_MINUTES} minutes' and live_at < now())
      or exists (select from crm_sync_cursor where kind in ('contact', 'appointment', 'document', 'claim')
        and (completed_at is null or completed_at < now() - interval '${STALE_SECONDS} seconds')))`)

export async function isRefreshDue(db: Queryable, userId: string): Promise<boolean> {
  return (await SELECT_REFRESH_DUE(db, userId)).length > 0
}

const SELECT_UNREAD_SIGN_UP = statement(`
  select from users, crm_sync_cursor as cursor
  where users.id = $1 and cursor.kind = 'contact'
    and (cursor.completed_at is null or cursor.completed_at
      < coalesce(users.signed_up_at, users.created_at) + interval '${READ_SECONDS} seconds')`)

/** Whether the mirror may lack a contact that the CRM had when the account signed up. */
export async function mayLackContact(db: Queryable, userId: string): Promise<boolean> {
  return (await SELECT_UNREAD_SIGN_UP(db, userId)).length > 0
}

const SELECT_LINK = statement<{ linked: boolean }>(`
  select ${isLinked('users.id')} as linked from users where id = $1 and (has_contact
    or exists (select from crm_outbox where user_id = users.id and kind = 'contact'))`)

/** Whether the account is linked to a contact that the provider had; undefined if that is not decided yet. */
export async function findLink(db: Queryable, userId: string): Promise<boolean | undefined> {
  const [row] = await SELECT_LINK(db, userId)
  return row?.linked
}

const SELECT_CONTACTS = statement<{ contactId: string }>(`
  select contact_id as "contactId" from links where user_id = any($1) and ${IS_CURRENT}`)

export async function findContactIds(db: Queryable, userIds: readonly string[]): Promise<string[]> {
  return (await SELECT_CONTACTS(db, userIds)).map(({ contactId }) => contactId)
}

const SELECT_EMAILS = statement<{ email: string }>(`
  select email from users where id = any($1) and is_active and not has_contact
    and not exists (select from crm_outbox where user_id = users.id and kind = 'contact')`)

/** The emails of those accounts whose link is not decided yet. */
export async function findUndecidedEmails(
  db: Queryable,
  userIds: readonly string[],
): Promise<string[]> {
  return (await SELECT_EMAILS(db, userIds)).map(({ email }) => email)
}
