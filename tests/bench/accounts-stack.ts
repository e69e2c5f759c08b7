import { processMegabytes } from '@guidon/sandbox/stack/process-memory'
import type { Client } from 'pg'
import { accountRows } from './account-rows.ts'
import { openKeptRows } from './kept-rows.ts'
import type { KeptRows } from './kept-rows.ts'
import { cookieOf, openSessions } from './veterans.ts'

export type AccountsApi = Awaited<ReturnType<typeof startAccountsApi>>

/** Starts an API with this many accounts. One of them is staff and signed in, with the session 0. */
export async function startAccountsApi(
  kept: KeptRows,
  accounts: number,
  env: Record<string, string> = {},
) {
  const { stack, sql } = await kept.startApi(accountRows(accounts), { LOG_LEVEL: 'warn', ...env })
  const tokenKey = stack.environment['TOKEN_KEY']!
  await addStaff(sql, tokenKey)
  return {
    accounts,
    base: stack.urls.api[0]!,
    origin: stack.urls.portal,
    cookie: cookieOf(0),
    tokenKey,
    sql,
    apiMegabytes: () => processMegabytes(stack.api[0]!.pid!),
  }
}

/** The same, for a benchmark with one number of accounts. */
export async function startAccountsStack(accounts: number, env: Record<string, string> = {}) {
  const kept = await openKeptRows()
  return { ...(await startAccountsApi(kept, accounts, env)), close: kept.close }
}

/** Opens a session for one in `oneIn` accounts, with the numbers from 1. Returns how many. */
export async function signInAccounts(
  { sql, tokenKey }: Pick<AccountsApi, 'sql' | 'tokenKey'>,
  oneIn: number,
): Promise<number> {
  const { rows } = await sql.query<{ id: string }>(
    `select id from users where role = 'USER' and is_active and random() * $1 < 1`,
    [oneIn],
  )
  const ids = rows.map(({ id }) => id)
  await openSessions(sql, tokenKey, ids, 1)
  await sql.query('vacuum (analyze) sessions, session_tokens')
  return ids.length
}

/** Adds a staff account, whose session has the number 0. */
export async function addStaff(sql: Client, tokenKey: string): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role)
     values ('staff@guidon.example', 'none', 'Casey', 'Staff', '8005550142', 'Texas', 'STAFF')
     returning id`,
  )
  await openSessions(sql, tokenKey, [rows[0]!.id])
}
