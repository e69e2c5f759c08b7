import { expect } from 'vitest'
import type { TestApp } from './boot.ts'
import type { Org } from './org.ts'
import { copyAccount } from './outside/copy-account.ts'
import type { TestClient } from './test-client.ts'

export interface Veteran {
  userId: string
  email: string
  contactId: string
}

/** Adds veterans with a contact in the CRM. */
export async function prepareVeterans(
  testApp: TestApp,
  org: Org,
  count: number,
): Promise<Veteran[]> {
  const { account, sql } = testApp
  const rows = await copyAccount(sql, (await account()).email, count)
  const contactIds = org.load(
    'Contact',
    rows.map((row) => ({
      FirstName: 'James',
      LastName: 'Whitfield',
      Email: row.email,
      Portal_User_Id__c: row.userId,
    })),
  )
  const veterans = rows.map((row, index) => Object.assign(row, { contactId: contactIds[index]! }))
  await sql.query(
    `insert into links (user_id, contact_id, origin, state, live_at)
     select id, contact, 'signUp', 'live', now() - interval '1 day'
     from unnest($1::uuid[], $2::text[]) as given (id, contact)`,
    [veterans.map(({ userId }) => userId), contactIds],
  )
  await expect
    .poll(() => countMirrored(sql, contactIds), { timeout: 60_000, interval: 500 })
    .toBe(count)
  return veterans
}

async function countMirrored(sql: TestApp['sql'], contactIds: string[]): Promise<number> {
  const { rows } = await sql.query('select from crm_contact where id = any($1)', [contactIds])
  return rows.length
}

/** Opens a session whose access does not expire during a proof. */
export async function openSession(
  { withSession, sql }: Pick<TestApp, 'withSession' | 'sql'>,
  veteran: Veteran,
): Promise<TestClient> {
  const client = await withSession(veteran)
  await sql.query(
    `update session_tokens set access_expires_at = now() + interval '1 day'
     from sessions where sessions.id = session_id and user_id = $1`,
    [veteran.userId],
  )
  return client
}
