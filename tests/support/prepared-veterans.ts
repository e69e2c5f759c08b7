import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { tokens } from '../../api/src/platform/tokens.ts'
import type { boot } from './boot.ts'
import type { Org } from './org.ts'
import type { TestClient } from './test-client.ts'

type TestApp = Awaited<ReturnType<typeof boot>>

export interface Veteran {
  userId: string
  email: string
  contactId: string
}

/** Adds accounts of veterans. They share one password hash: hashing each would take minutes. */
export async function addAccounts(
  { account, sql }: Pick<TestApp, 'account' | 'sql'>,
  count: number,
): Promise<{ userId: string; email: string }[]> {
  const { email } = await account()
  const { rows } = await sql.query<{ userId: string; email: string }>(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, email_verified_at)
     select given, password_hash, first_name, last_name, phone, state, role, now()
     from users, unnest($2::text[]) as given where email = $1
     returning id as "userId", email`,
    [email, Array.from({ length: count }, () => `${randomUUID()}@example.com`)],
  )
  return rows
}

/** Adds veterans with a contact in the CRM. */
export async function prepareVeterans(
  testApp: TestApp,
  org: Org,
  count: number,
): Promise<Veteran[]> {
  const { sql } = testApp
  const rows = await addAccounts(testApp, count)
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
    `update users set salesforce_id = given.contact, linked_at = now() - interval '1 day'
     from unnest($1::uuid[], $2::text[]) as given (id, contact) where users.id = given.id`,
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

/** Opens a session without the emailed code, for proofs that are not about signing in. */
export async function openSession(
  { config, newClient, sql }: TestApp,
  { userId }: Veteran,
): Promise<TestClient> {
  const token = tokens(config.TOKEN_KEY).makeDated(Date.now())
  const [hash] = tokens(config.TOKEN_KEY).hashes('access', token)
  await sql.query(
    `with opened as (
       insert into sessions (user_id, idle_limit, last_seen_at, expires_at)
       values ($1, '1 hour', now(), now() + interval '1 day') returning id)
     insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
     select id, $2, now() + interval '1 day', $2 from opened`,
    [userId, hash],
  )
  const client = newClient()
  client.cookies.set('guidon-access', token)
  return client
}
