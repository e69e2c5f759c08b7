import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login, verifyLogin } from '@guidon/contract/auth'
import { noLog } from '@guidon/sandbox/stack/logs'
import { startStack } from '@guidon/sandbox/stack/stack'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { Client } from 'pg'
import { client } from './client.ts'

const PASSWORD = 'Harbor-Lantern-42!'
const CONNECTIONS = 50
const PERSON = {
  password: PASSWORD,
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  state: 'California',
  role: 'USER',
} as const

/** The API as its process, on a PostgreSQL that really writes to disk, with many accounts. */
export async function openHouse(accounts: number, env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-bench-'))
  const first = `${randomUUID()}@example.com`
  const stack = await startStack({
    dataDir,
    mode: 'production',
    durable: true,
    workers: 0,
    people: [{ ...PERSON, email: first }],
    env: { LOG_LEVEL: 'warn', WEB_DIR: '', ...env },
  })
  const base = stack.urls.api[0]!
  const { send, close } = client(base, stack.urls.portal, CONNECTIONS)

  const signIn = async () => {
    const { cookies } = await send({
      method: 'POST',
      path: login.path,
      body: { email: first, password: PASSWORD },
    })
    const query = new URLSearchParams({ to: first, wait: '10000' })
    const inbox = await fetch(`${stack.urls.mailbox}/messages?${query.toString()}`)
    const { messages } = (await inbox.json()) as { messages: { text: string }[] }
    const code = messages[0]?.text.match(/\b\d{6}\b/)?.[0]
    const verified = await send({
      method: 'POST',
      path: verifyLogin.path,
      body: { email: first, code },
      cookie: cookies.join('; '),
    })
    return verified.cookies.join('; ')
  }
  // Only for the one code by mail: afterwards mail must not disturb what is measured.
  const worker = workerBeside(stack.environment)
  await worker.start()
  const cookie = await signIn()
  await worker.stop()
  const { emails, stored } = await addAccounts(stack.urls.database, first, accounts)
  return {
    base,
    origin: stack.urls.portal,
    pepper: stack.environment['PASSWORD_PEPPER']!,
    password: PASSWORD,
    stored,
    emails,
    cookie,
    send,
    apiPid: () => stack.api[0]!.pid,
    /** On the disk that the database writes to. */
    directory: dataDir,
    database: stack.urls.database,
    restart: async () => {
      // Connections to the process that goes away would fail at their next use.
      close()
      await stack.api[0]!.restart()
    },
    close: async () => {
      close()
      await stack.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function workerBeside(environment: Readonly<Record<string, string>>): StackProcess {
  return new StackProcess({
    name: 'worker',
    args: ['api/src/work.ts'],
    cwd: join(import.meta.dirname, '..'),
    // It says at this level that it is ready.
    env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
    ready: { line: '"msg":"worker ready"' },
    patienceMs: 10_000,
    log: noLog(),
    onDeath: () => {},
  })
}

/** Copies of one account under other emails: a hash for each would take minutes. */
async function addAccounts(url: string, like: string, count: number) {
  const sql = new Client({ connectionString: url })
  await sql.connect()
  const emails = Array.from({ length: count }, () => `${randomUUID()}@example.com`)
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, email_verified_at)
     select given, password_hash, first_name, last_name, phone, state, role, now()
     from users, unnest($2::text[]) as given where email = $1`,
    [like, emails],
  )
  await sql.query('analyze')
  const { rows } = await sql.query<{ stored: string }>(
    'select password_hash as stored from users where email = $1',
    [like],
  )
  await sql.end()
  return { emails, stored: rows[0]!.stored }
}
