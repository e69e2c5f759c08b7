import { randomUUID } from 'node:crypto'
import { login, verifyLogin } from '@guidon/contract/auth'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { Client } from 'pg'
import { startApiStack, workerProcess } from './api-stack.ts'
import { client } from './client.ts'

const PASSWORD = 'Harbor-Lantern-42!'
const CONNECTIONS = 50
const ACCOUNT = {
  password: PASSWORD,
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  state: 'California',
  role: 'USER',
} as const

/** Starts an API with many accounts, one of which is signed in. */
export async function startSignedInStack(accounts: number, env: Record<string, string> = {}) {
  const email = `${randomUUID()}@example.com`
  const apiStack = await startApiStack({
    accounts: [{ ...ACCOUNT, email }],
    env: { LOG_LEVEL: 'warn', WEB_DIR: '', ...env },
  })
  const { stack, dataDir } = apiStack
  const base = stack.urls.api[0]!
  const { send, close } = client(base, stack.urls.portal, CONNECTIONS)

  const signIn = async () => {
    const { cookies } = await send({
      method: 'POST',
      path: login.path,
      body: { email, password: PASSWORD },
    })
    const code = await new MailboxClient(stack.urls.mailbox).codeFor(email)
    const verified = await send({
      method: 'POST',
      path: verifyLogin.path,
      body: { email, code },
      cookie: cookies.join('; '),
    })
    return verified.cookies.join('; ')
  }
  // The worker sends the email with the code. It stops before the measurements, which it would disturb.
  const worker = workerProcess(stack.environment)
  await worker.start()
  const cookie = await signIn()
  await worker.stop()
  const { emails, passwordHash } = await copyAccount(stack.urls.database, email, accounts)
  return {
    base,
    origin: stack.urls.portal,
    pepper: stack.environment['PASSWORD_PEPPER']!,
    password: PASSWORD,
    passwordHash,
    emails,
    cookie,
    send,
    apiPid: () => stack.api[0]!.pid!,
    /** On the same disk as the database. */
    directory: dataDir,
    database: stack.urls.database,
    restart: async () => {
      // The next use of a connection to the old process would fail.
      close()
      await stack.api[0]!.restart()
    },
    close: async () => {
      close()
      await apiStack.close()
    },
  }
}

/** Copies one account to other emails: hashing a password for each would take minutes. */
async function copyAccount(url: string, email: string, count: number) {
  const sql = new Client({ connectionString: url })
  await sql.connect()
  const emails = Array.from({ length: count }, () => `${randomUUID()}@example.com`)
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, email_verified_at)
     select given, password_hash, first_name, last_name, phone, state, role, now()
     from users, unnest($2::text[]) as given where email = $1`,
    [email, emails],
  )
  await sql.query('analyze')
  const { rows } = await sql.query<{ password_hash: string }>(
    'select password_hash from users where email = $1',
    [email],
  )
  await sql.end()
  return { emails, passwordHash: rows[0]!.password_hash }
}
