import { processMegabytes } from '@guidon/sandbox/stack/process-memory'
import { Client } from 'pg'
import { startApiStack } from './api-stack.ts'
import { cookieOf, openSessions } from './veterans.ts'

/** Starts an API with one staff account, which is signed in. */
export async function startAccountsStack(env: Record<string, string> = {}) {
  const apiStack = await startApiStack({ env: { LOG_LEVEL: 'warn', ...env } })
  const { stack } = apiStack
  const sql = new Client({ connectionString: stack.urls.database })
  await sql.connect()
  await addStaff(sql, stack.environment['TOKEN_KEY']!)
  return {
    base: stack.urls.api[0]!,
    origin: stack.urls.portal,
    cookie: cookieOf(0),
    tokenKey: stack.environment['TOKEN_KEY']!,
    environment: stack.environment,
    sql,
    apiMegabytes: () => processMegabytes(stack.api[0]!.pid!),
    close: async () => {
      await sql.end()
      await apiStack.close()
    },
  }
}

/** Adds a staff account, whose session has the number 0. */
export async function addStaff(sql: Client, tokenKey: string): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, email_verified_at)
     values ('staff@guidon.example', 'none', 'Casey', 'Staff', '8005550142', 'Texas', 'STAFF', now())
     returning id`,
  )
  await openSessions(sql, tokenKey, [rows[0]!.id])
}
