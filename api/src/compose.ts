import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { openDatabase, openPool } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { findByAccess } from './db/sessions.ts'
import { passwords } from './features/auth/passwords.ts'
import { authRoutes } from './features/auth/routes.ts'
import { sendCode, sendCodeWork } from './features/auth/send-code.ts'
import { sessions as authSessions } from './features/auth/sessions.ts'
import { signIn } from './features/auth/sign-in.ts'
import { accounts } from './features/manage-users/accounts.ts'
import { createApp } from './http/app.ts'
import { readBrand } from './http/brand.ts'
import { serveDocs } from './http/docs.ts'
import { createLog } from './http/log.ts'
import type { Log } from './http/log.ts'
import { tokens as createTokens } from './http/tokens.ts'
import { serveWebApp } from './http/web-app.ts'
import { migrateQueues, openSender, queueStates, sendAgain, startWorking } from './jobs/queues.ts'
import { sendOnce } from './mail/send-once.ts'
import { smtpMail } from './mail/smtp/smtp-mail.ts'

/** All wiring. What each process is made of is read here, top to bottom. */

const jobs = [sendCode]

/** Below the 10 seconds after which a screen gives up. */
const STATEMENT_TIMEOUT_MS = 8_000

function openStore(config: Config, log: Log, statementTimeoutMs = STATEMENT_TIMEOUT_MS) {
  const pool = openPool({
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL,
    statementTimeoutMs,
    onIdleError: (err) => log.warn({ err }, 'idle connection lost'),
  })
  // Ended by its pool: Kysely's own destroy leaves the pool open where no query of its own has run yet.
  return { pool, db: openDatabase(pool), close: () => pool.end() }
}

const openPasswords = (config: Config) =>
  passwords({
    pepper: config.PASSWORD_PEPPER,
    concurrency: config.HASH_CONCURRENCY,
    queue: config.HASH_QUEUE,
  })

export async function migrateAll(config: Config, log: Log): Promise<void> {
  const { db, close } = openStore({ ...config, DATABASE_POOL: 1 }, log, 0)
  try {
    const migrations = await migrate(db)
    if (migrations.length > 0) log.info({ migrations }, 'migrated')
  } finally {
    await close()
  }
  await migrateQueues(config.DATABASE_URL, jobs, log)
}

export interface Server {
  app: FastifyInstance
  /** Takes no new requests, finishes those in flight, lets go of everything. */
  close(): Promise<void>
}

export async function composeServer(
  config: Config,
  log = createLog(config.LOG_LEVEL, 'api'),
): Promise<Server> {
  const { pool, db, close } = openStore(config, log)
  const brandFolder = readBrand(config.BRAND_DIR)
  const tokens = createTokens(config.TOKEN_KEY)
  const queues = await openSender(pool, log)
  const hashing = await openPasswords(config)
  const sessions = authSessions(db, tokens)
  let closing = false

  const app = await createApp({
    log,
    publicUrl: config.PUBLIC_URL,
    allowedOrigins: config.ALLOWED_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    findSession: (access) => findByAccess(db, tokens.hash('access', access)),
    ready: async () => !closing && (await pool.query('select 1').then(Boolean, () => false)),
  })
  authRoutes(app, {
    signIn: signIn({
      db,
      tokens,
      passwords: hashing,
      sessions,
      jobs: queues,
      phone: brandFolder.brand.phone,
    }),
    sessions,
  })
  if (config.NODE_ENV !== 'production') await serveDocs(app, brandFolder.brand.name)
  if (config.WEB_DIR) serveWebApp(app, config.WEB_DIR, brandFolder)

  return {
    app,
    close: async () => {
      closing = true
      await app.close()
      await queues.stop()
      await close()
    },
  }
}

export interface Worker {
  /** Takes no new jobs and finishes those in hand. */
  close(): Promise<void>
}

export async function composeWorker(
  config: Config,
  log = createLog(config.LOG_LEVEL, 'worker'),
): Promise<Worker> {
  const { db, close } = openStore(config, log)
  const { brand } = readBrand(config.BRAND_DIR)
  const tokens = createTokens(config.TOKEN_KEY)
  const mail = smtpMail(config.SMTP_URL, brand.emailSender)
  const send = sendOnce(db, mail)
  const stop = await startWorking(
    config.DATABASE_URL,
    [sendCodeWork({ db, tokens, brand, send })],
    log,
  )
  return {
    close: async () => {
      await stop()
      mail.close()
      await close()
    },
  }
}

export type Admin = Awaited<ReturnType<typeof composeAdmin>>

export async function composeAdmin(config: Config, log: Log) {
  const { pool, db, close } = openStore(config, log)
  const { hash } = await openPasswords(config)
  return {
    accounts: accounts(db, hash),
    queues: {
      states: () => queueStates(pool),
      sendAgain: (name: string) => sendAgain(config.DATABASE_URL, name, log),
    },
    close,
  }
}
