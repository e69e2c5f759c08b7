import { Client } from 'pg'
import { startApiStack } from './api-stack.ts'
import { builtApp } from './built-app.ts'
import {
  accessHasher,
  addLinkedUsers,
  addOwnDocuments,
  cookieOf,
  signInVeterans,
} from './veterans.ts'

/** Starts the built product with two veterans who are signed in: one has a case, and one has only signed up. */
export async function startFirstLoadStack() {
  builtApp()
  const apiStack = await startApiStack({ env: { LOG_LEVEL: 'warn' } })
  const { stack } = apiStack
  const sql = new Client({ connectionString: stack.urls.database })
  await sql.connect()
  await addCase(sql)
  await addLinkedUsers(sql)
  await addOwnDocuments(sql)
  const tokenKey = stack.environment['TOKEN_KEY']!
  await signInVeterans(sql, tokenKey, 1)
  await addNewcomer(sql, accessHasher(tokenKey)(1))
  await sql.end()
  return {
    origin: stack.urls.portal,
    cookies: { withCase: cookieOf(0), newcomer: cookieOf(1) },
    close: apiStack.close,
  }
}

async function addCase(sql: Client): Promise<void> {
  await sql.query(
    `insert into crm_user (id, modified_at, deleted, name, email, phone)
     values ('manager', now(), false, 'Casey Becker', 'casey@guidon.example', '8005550142')`,
  )
  await sql.query(
    `insert into crm_contact (id, modified_at, deleted, first_name, last_name, email, phone, case_manager_id)
     values ('veteran', now(), false, 'James', 'Whitfield', 'james@example.com', '6195550134', 'manager')`,
  )
  await sql.query(
    `insert into crm_appointment (id, modified_at, deleted, contact_id, date, time, clinic_name, scheduled)
     select 'appointment-' || n, now(), false, 'veteran', current_date + n * 7, '08:30', 'Tampa Clinic', true
     from generate_series(1, 2) as n`,
  )
  await sql.query(
    `insert into crm_document (id, modified_at, deleted, contact_id, name, type, status)
     select 'document-' || n, now(), false, 'veteran', 'Document ' || n, 'Letter', 'requested'
     from generate_series(1, 3) as n`,
  )
}

async function addNewcomer(sql: Client, accessHash: Buffer): Promise<void> {
  await sql.query(
    `with newcomer as (
       insert into users (email, password_hash, first_name, last_name, phone, state, role, email_verified_at)
       values ('maria@example.com', 'none', 'Maria', 'Santiago', '6195550134', 'Texas', 'USER', now())
       returning id),
     opened as (
       insert into sessions (user_id, idle_limit, last_seen_at, expires_at)
       select id, '1 hour', now() + interval '1 day', now() + interval '1 day' from newcomer
       returning id)
     insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
     select id, $1, now() + interval '1 day', $1 from opened`,
    [accessHash],
  )
}
