import { login, verifyLogin } from '@guidon/contract/auth'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { Client } from 'pg'
import { newAccount } from '../support/outside/account.ts'
import { copyAccount } from '../support/outside/copy-account.ts'
import { httpClient } from '../support/outside/http-client.ts'
import { startApiStack, workerProcess } from './api-stack.ts'

const CONNECTIONS = 50

/** Starts an API with many accounts, one of which is signed in. */
export async function startSignedInStack(accounts: number, env: Record<string, string> = {}) {
  const account = newAccount()
  const { email, password } = account
  const apiStack = await startApiStack({
    accounts: [account],
    env: { LOG_LEVEL: 'warn', WEB_DIR: '', ...env },
  })
  const { stack, dataDir } = apiStack
  const base = stack.urls.api[0]!
  const { send, close } = httpClient(base, stack.urls.portal, CONNECTIONS)

  const signIn = async () => {
    const { cookies } = await send({
      method: 'POST',
      path: login.path,
      body: { email, password },
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
  const { emails, passwordHash } = await copyAccounts(stack.urls.database, email, accounts)
  return {
    base,
    origin: stack.urls.portal,
    pepper: stack.environment['PASSWORD_PEPPER']!,
    password,
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

/** Returns the emails of the copies and their password hash. */
async function copyAccounts(url: string, email: string, count: number) {
  const sql = new Client({ connectionString: url })
  await sql.connect()
  const copies = await copyAccount(sql, email, count)
  await sql.query('analyze')
  const { rows } = await sql.query<{ password_hash: string }>(
    'select password_hash from users where email = $1',
    [email],
  )
  await sql.end()
  return {
    emails: copies.map((copy) => copy.email),
    passwordHash: rows[0]!.password_hash,
  }
}
