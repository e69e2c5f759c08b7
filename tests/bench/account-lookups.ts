import { setTimeout as delay } from 'node:timers/promises'
import { checkAuth, login } from '@guidon/contract/auth'
import type { SizedApi } from './account-sizes.ts'
import { sessionParameters } from './reads.ts'
import { accessHasher } from './veterans.ts'

const POLL_MS = 20

/** The statements with which the API finds one account. */
interface LookupStatements {
  bySession: string
  byEmail: string
}

async function lookupStatements(api: SizedApi): Promise<LookupStatements> {
  const { base, origin, cookie } = api
  const unknown = { email: 'nobody@guidon.example', password: 'Harbor-Lantern-42!' }
  return {
    bySession: await blockedStatement(api, () =>
      fetch(base + checkAuth.path, { headers: { cookie } }),
    ),
    byEmail: await blockedStatement(api, () =>
      fetch(base + login.path, {
        method: login.method,
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify(unknown),
      }),
    ),
  }
}

/** Locks the accounts, so that the call has to wait at the first statement that reads them. Returns that statement. */
async function blockedStatement({ sql }: SizedApi, call: () => Promise<Response>): Promise<string> {
  await sql.query('begin')
  await sql.query('lock table users in access exclusive mode')
  const response = call()
  try {
    for (;;) {
      // Within a transaction, the view would not change.
      await sql.query('select pg_stat_clear_snapshot()')
      const { rows } = await sql.query<{ query: string }>(
        `select query from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%users%'`,
      )
      if (rows[0]) return rows[0].query
      await delay(POLL_MS)
    }
  } finally {
    await sql.query('rollback')
    await (await response).text()
  }
}

/** Returns functions that look up a random account and return the milliseconds. */
export async function lookups(api: SizedApi, emails: readonly string[]) {
  const { sql, tokenKey } = api
  const { bySession, byEmail } = await lookupStatements(api)
  // All but session 0, which is the staff account's.
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::int - 1 as count from session_tokens',
  )
  const sessions = rows[0]!.count
  const hash = accessHasher(tokenKey)
  const timed = async (name: string, text: string, values: unknown[]): Promise<number> => {
    const started = performance.now()
    const found = await sql.query({ name, text, values })
    const ms = performance.now() - started
    if (found.rows.length !== 1) throw new Error(`found ${found.rows.length} accounts ${name}`)
    return ms
  }
  return {
    bySession: () =>
      timed('by session', bySession, sessionParameters(hash(1 + randomBelow(sessions)))),
    byEmail: () => timed('by email', byEmail, [emails[randomBelow(emails.length)]]),
  }
}

const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
