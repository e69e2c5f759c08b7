import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Role } from '@guidon/contract/account'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import type { Mail } from '@guidon/sandbox/mailbox/client'
import { inject } from 'vitest'
import type { z } from 'zod'
import { openDatabase, openPool } from '../../api/src/db/database.ts'
import { isUnavailable } from '../../api/src/db/unavailable.ts'
import { sessions } from '../../api/src/features/auth/sessions.ts'
import type { Job } from '../../api/src/jobs/job.ts'
import { openJobQueues } from '../../api/src/jobs/queues.ts'
import { composeAdmin, composeServer, composeWorker } from '../../api/src/main/compose/compose.ts'
import type { Worker } from '../../api/src/main/compose/compose.ts'
import { parseConfig } from '../../api/src/main/config/config.ts'
import { createLog } from '../../api/src/platform/log.ts'
import { tokens } from '../../api/src/platform/tokens.ts'
import { afterFile } from './after-file.ts'
import { connected, migratedDatabase, urlForApi, userIdOf } from './databases.ts'
import { mailbox } from './mailbox.ts'
import { newAccount, PASSWORD } from './outside/account.ts'
import { signIn } from './sign-in.ts'
import { TestClient } from './test-client.ts'

export const NEWCOMER = {
  password: PASSWORD,
  firstName: 'Maria',
  lastName: 'Alvarez',
  phone: '6195550104',
  state: 'California' as const,
}

export interface BootOptions {
  worker?: boolean
  environment?: Record<string, string>
  /** Replaces variables for the worker. */
  workerEnvironment?: Record<string, string>
  database?: string
}

const MAX_STARTS = 5

/** Starts again if PostgreSQL did not respond in time, which happens on a busy machine. */
async function started<Started>(start: () => Promise<Started>, starts = 1): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    if (starts === MAX_STARTS || !isUnavailable(error)) throw error
    return started(start, starts + 1)
  }
}

export type TestApp = Awaited<ReturnType<typeof boot>>

/** Starts the real app on its own database, with a real worker unless `worker` is false. */
export async function boot(options: BootOptions = {}) {
  const url = options.database ?? (await migratedDatabase())
  const environment = inject('environment')
  const values = {
    ...environment,
    DATABASE_URL: url,
    // Its own, as for a process in production.
    UPLOAD_DIR: join(environment['UPLOAD_DIR']!, randomUUID()),
    ...options.environment,
  }
  const config = parseConfig(values)
  const workerConfig = parseConfig({ ...values, ...options.workerEnvironment })
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = createLog('debug', 'test', sink)
  const serverConfig = { ...config, DATABASE_URL: urlForApi(config.DATABASE_URL) }
  const server = await started(() => composeServer(serverConfig, log))
  const workers: Worker[] = []
  const startWorker = async () =>
    void workers.push(await started(() => composeWorker(workerConfig, log)))
  if (options.worker !== false) await startWorker()
  const admin = await started(() => composeAdmin(config, log))
  const sql = await connected(url)
  const pool = openPool({ url, size: 1, statementTimeoutMs: 0, onIdleError: () => {} })
  const db = openDatabase(pool)
  const queues = await started(() => openJobQueues(pool, log))
  const base = await server.app.listen({ host: '127.0.0.1', port: 0 })

  afterFile(async () => {
    await Promise.all([
      server.close(),
      ...workers.map((worker) => worker.close()),
      admin.close(),
      sql.end(),
      queues.stop(),
    ])
    await pool.end()
  })

  const newClient = () => new TestClient(base, config.PUBLIC_URL)
  return {
    app: server.app,
    base,
    config,
    drain: () => server.drain(),
    close: () => server.close(),
    sql,
    db,
    admin,
    startWorker,
    stopWorkers: () => Promise.all(workers.splice(0).map((worker) => worker.close())),
    /** Sends a job to the worker. */
    send: <Data extends z.ZodType>(job: Job<Data>, data: z.input<Data>) =>
      db.transaction().execute((tx) => queues.send(job, data, tx)),
    logged: () => lines.join(''),
    newClient,
    /** Creates an account with a new email. */
    async account(role: Role = 'USER'): Promise<{ email: string; password: string }> {
      const created = newAccount(role, `${randomUUID()}@example.com`)
      await admin.accounts.create(created)
      const { email, password } = created
      return { email, password }
    },
    /** Signs up with a new account and verifies its email. */
    async signedUp(email = `${randomUUID()}@example.com`) {
      const client = newClient()
      await client.call(register, { body: { ...NEWCOMER, email } })
      const code = await mailbox.codeFor(email)
      const verified = await client.call(verifyEmail, { body: { email, code } })
      if (verified.status !== 200) throw new Error(`sign-up returned ${verified.status}`)
      const { linkedToExistingAccount: linked } = verified.body.salesforceInfo
      return { client, email, linked, userId: await userIdOf(sql, email) }
    },
    /** Opens a session without password and code, for tests of something else. */
    async withSession({ email }: { email: string }): Promise<TestClient> {
      const { rows } = await sql.query<{ userId: string; role: Role }>(
        'select id as "userId", role from users where email = $1',
        [email],
      )
      const session = { ...rows[0]!, consentsDue: false, emailReachable: true }
      const { makeDated } = tokens(config.TOKEN_KEY)
      const [access, refresh] = [makeDated(Date.now()), makeDated(Date.now())]
      await db
        .transaction()
        .execute((tx) =>
          sessions(db, tokens(config.TOKEN_KEY)).open(tx, session, { access, refresh }),
        )
      const client = newClient()
      client.cookies.set('guidon-access', access)
      client.cookies.set('guidon-refresh', refresh)
      return client
    },
    /** Signs in with the password and the emailed code, which must be newer than the email `after`. */
    signedIn: (
      account: { email: string; password: string },
      { after }: { after?: Mail | undefined } = {},
    ): Promise<TestClient> => signIn(newClient(), account, mailbox, after),
  }
}
