import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { emptyCrm } from './crm/empty-crm.ts'
import { openDatabase, openPool } from './db/database.ts'
import type { DatabaseOptions } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { findByAccess } from './db/sessions.ts'
import { verifyChain } from './features/audit/chain.ts'
import { sealAudit, sealAuditWork } from './features/audit/seal-job.ts'
import { arrival as createArrival } from './features/auth/arrival.ts'
import { challenges as createChallenges } from './features/auth/challenge.ts'
import { limits as createLimits } from './features/auth/limits.ts'
import { passwordChange } from './features/auth/password-change.ts'
import { passwords } from './features/auth/passwords.ts'
import { authRoutes } from './features/auth/routes.ts'
import { sendCode, sendCodeWork } from './features/auth/send-code.ts'
import { sendNotice, sendNoticeWork } from './features/auth/send-notice.ts'
import { sendResetLink, sendResetLinkWork } from './features/auth/send-reset-link.ts'
import { sessions as createSessions } from './features/auth/sessions.ts'
import { signIn } from './features/auth/sign-in.ts'
import { signUp } from './features/auth/sign-up.ts'
import { strength as createStrength } from './features/auth/strength.ts'
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

const jobs = [sendCode, sendResetLink, sendNotice, sealAudit]

/** Below the 10 seconds after which a screen gives up. */
const STATEMENT_TIMEOUT_MS = 8_000

function openStore(config: Config, log: Log) {
  return storeOn(
    {
      url: config.DATABASE_URL,
      size: config.DATABASE_POOL,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    },
    log,
  )
}

function storeOn(options: Omit<DatabaseOptions, 'onIdleError'>, log: Log) {
  const pool = openPool({
    ...options,
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
  const url = config.DATABASE_OWNER_URL ?? config.DATABASE_URL
  const { db, close } = storeOn({ url, size: 1, statementTimeoutMs: 0, asOwner: true }, log)
  try {
    const migrations = await migrate(db)
    if (migrations.length > 0) log.info({ migrations }, 'migrated')
  } finally {
    await close()
  }
  await migrateQueues(url, jobs, log)
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
  const { brand } = brandFolder
  const tokens = createTokens(config.TOKEN_KEY)
  const queues = await openSender(pool, log)
  const hashing = await openPasswords(config)
  const judging = createStrength()
  const limits = createLimits(db, tokens)
  const sessions = createSessions(db, tokens)
  const challenges = createChallenges({ db, tokens, jobs: queues, limits })
  const arrival = createArrival(sessions, tokens, queues)
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
    signUp: signUp({
      db,
      passwords: hashing,
      strength: judging,
      challenges,
      arrival,
      crm: emptyCrm,
      termsVersion: brand.termsVersion,
    }),
    signIn: signIn({ db, passwords: hashing, challenges, arrival, limits, phone: brand.phone }),
    challenges,
    passwordChange: passwordChange({
      db,
      tokens,
      passwords: hashing,
      strength: judging,
      jobs: queues,
      limits,
    }),
    sessions,
  })
  if (config.NODE_ENV !== 'production') await serveDocs(app, brand.name)
  if (config.WEB_DIR) serveWebApp(app, config.WEB_DIR, brandFolder)

  return {
    app,
    close: async () => {
      closing = true
      await app.close()
      await judging.close()
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
  const limits = createLimits(db, tokens)
  const portal = config.PUBLIC_URL
  const works = [
    sendCodeWork({ db, tokens, brand, portal, send, limits }),
    sendResetLinkWork({ db, tokens, brand, portal, send, limits }),
    sendNoticeWork({ db, brand, send }),
    sealAuditWork(db, log),
  ]
  const stop = await startWorking(config.DATABASE_URL, works, log)
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
    audit: { verify: () => verifyChain(db) },
    queues: {
      states: () => queueStates(pool),
      sendAgain: (name: string) => sendAgain(config.DATABASE_URL, name, log),
    },
    close,
  }
}
