import type { LinkOrigin } from '@guidon/contract/links'
import { createLinks } from '../../api/src/crm/links/links.ts'
import type { TestApp } from './boot.ts'

export interface TestLink {
  origin?: LinkOrigin
  /** Since when the account sees the contact's records. */
  since?: string | Date
}

/** Gives an account a contact, as if the rule had said yes. Replaces the one it has. */
export async function linkTo(
  sql: Pick<TestApp['sql'], 'query'>,
  account: { userId: string } | { email: string },
  contactId: string,
  { origin = 'signUp', since = new Date() }: TestLink = {},
): Promise<void> {
  const key = 'userId' in account ? account.userId : account.email
  await sql.query(
    `with account as (select id from users where id::text = $1 or email = $1),
      ended as (update links set state = 'ended', ended_at = now(), question = null, asked_at = null
        from account where user_id = account.id and state <> 'ended')
     select from account`,
    [key],
  )
  await sql.query(
    `insert into links (user_id, contact_id, origin, state, live_at)
     select id, $2, $3, 'live', $4 from users where id::text = $1 or email = $1`,
    [key, contactId, origin, since],
  )
}

/** Takes its contact away from an account, as if it had never had one. */
export async function unlinked(sql: Pick<TestApp['sql'], 'query'>, userId: string): Promise<void> {
  await sql.query('delete from links where user_id = $1', [userId])
}

/** The contact of an account, and whether the provider had it before. */
export async function linkOf(
  sql: Pick<TestApp['sql'], 'query'>,
  userId: string,
): Promise<{ contact: string | null; linked: boolean }> {
  const { rows } = await sql.query<{ contact: string; linked: boolean }>(
    `select contact_id as contact, origin <> 'portal' as linked from links
     where user_id = $1 and state in ('live', 'frozen')`,
    [userId],
  )
  return rows[0] ?? { contact: null, linked: false }
}

/** For code that stores rows of the mirror without an app: sends nothing to the CRM and no email. */
export const quietLinks = createLinks({
  outbox: { add: async () => {} },
  tell: async () => {},
})
