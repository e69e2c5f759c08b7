import type { FastifyInstance } from 'fastify'
import { boxAccess, salesforceAccess, smtpAccess, watchPlaces } from './config.ts'
import type { Config } from './config.ts'
import { startPoller } from './crm/mirror/poller.ts'
import { reconcile, reconcileWork } from './crm/mirror/reconcile.ts'
import { refreshVeteran, refreshVeteranWork } from './crm/mirror/refresh-veteran.ts'
import {
  outbox as createOutbox,
  sendToCrm,
  sendToCrmWork,
  sweepOutbox,
  sweepOutboxWork,
} from './crm/outbox/outbox.ts'
import { CrmUnavailable } from './crm/port.ts'
import type { Crm } from './crm/port.ts'
import { readMapping } from './crm/salesforce/mapping.ts'
import { salesforceCrm } from './crm/salesforce/salesforce-crm.ts'
import { sealer } from './crypto/sealer.ts'
import { auditBy, auditOf } from './db/audit-events.ts'
import { continueNumbers } from './db/audit-seals.ts'
import { copying } from './db/copying.ts'
import { cursorStates } from './db/crm-cursors.ts'
import { outboxState } from './db/crm-outbox.ts'
import { latestUsage } from './db/crm-usage.ts'
import { openDatabase, openPool } from './db/database.ts'
import type { DatabaseOptions } from './db/database.ts'
import { streamUsers } from './db/managed-users.ts'
import { migrate } from './db/migrate.ts'
import { findByAccess } from './db/sessions.ts'
import { uploadState } from './db/uploads.ts'
import { appointmentRoutes } from './features/appointments/routes.ts'
import { verifyChain } from './features/audit/chain.ts'
import { sealAudit, sealAuditWork } from './features/audit/seal-job.ts'
import { staffRefusals } from './features/audit/staff-refusals.ts'
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
import { caseManagerRoutes } from './features/case-manager/routes.ts'
import { contact, sendContactRequest } from './features/contact/contact.ts'
import { contactRoutes } from './features/contact/routes.ts'
import { admission } from './features/documents/admission.ts'
import { readChunks } from './features/documents/chunks.ts'
import { documents } from './features/documents/documents.ts'
import { UPLOAD_PACE } from './features/documents/pace.ts'
import { uploadQuota } from './features/documents/quota.ts'
import { resealChunks } from './features/documents/reseal.ts'
import { documentRoutes } from './features/documents/routes.ts'
import { sendReceipt, sendReceiptWork } from './features/documents/send-receipt.ts'
import { sendDocument } from './features/documents/send-to-crm.ts'
import { storeDocument, storeDocumentWork } from './features/documents/store-document.ts'
import { sendUploadsAgain, sweepUploads, sweepUploadsWork } from './features/documents/sweep.ts'
import { uploads } from './features/documents/upload.ts'
import { intakes } from './features/intake/intake.ts'
import { resealIntakes } from './features/intake/reseal.ts'
import { intakeRoutes } from './features/intake/routes.ts'
import { sendIntakeReceived, sendIntakeReceivedWork } from './features/intake/send-received.ts'
import { sendIntake } from './features/intake/send-to-crm.ts'
import { linking, sendContact } from './features/linking/linking.ts'
import { accounts } from './features/manage-users/accounts.ts'
import { activity } from './features/manage-users/activity.ts'
import { cursors } from './features/manage-users/cursor.ts'
import { listing, LISTINGS_AT_ONCE } from './features/manage-users/listing.ts'
import { managing } from './features/manage-users/managing.ts'
import { manageUsersRoutes } from './features/manage-users/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { erasing } from './features/records/erase.ts'
import { exporting } from './features/records/export.ts'
import { keyStates, reseal } from './features/records/keys.ts'
import { sweepRecords, sweepRecordsWork } from './features/records/retention.ts'
import { boxFiles } from './files/box/box-files.ts'
import { BOX_CALLS_A_MINUTE, BOX_UPLOADS_A_MINUTE } from './files/box/connect.ts'
import { clamd } from './files/checks/clamd.ts'
import { emptyDirectory } from './files/empty-directory.ts'
import type { Files, StoreWatch } from './files/port.ts'
import { freeBytes, writable } from './files/writable.ts'
import { createApp } from './http/app.ts'
import { readBrand } from './http/brand.ts'
import { serveDocs } from './http/docs.ts'
import type { LineWatch } from './http/fair-semaphore.ts'
import { createLog } from './http/log.ts'
import type { Log } from './http/log.ts'
import { readiness } from './http/readiness.ts'
import { sources } from './http/source.ts'
import { tokens as createTokens } from './http/tokens.ts'
import { serveWebApp } from './http/web-app.ts'
import { forgetJobs } from './jobs/forget-jobs.ts'
import { migrateQueues, openSender, queueStates, sendAgain, startWorking } from './jobs/queues.ts'
import { reportOutcome } from './mail/report-outcome.ts'
import { sendOnce } from './mail/send-once.ts'
import { smtpMail } from './mail/smtp/smtp-mail.ts'
import { watchBacklog } from './watch/backlog.ts'
import { workWatch } from './watch/jobs.ts'
import { hashLineWatch, watchLine } from './watch/line.ts'
import { openWatch } from './watch/open.ts'
import { storeWatch, watchedScanner, watchScanner } from './watch/outside.ts'
import { watchProcess } from './watch/process.ts'
import { requestWatch } from './watch/requests.ts'

/** All wiring. What each process is made of is read here, top to bottom. */

const jobs = [
  sendCode,
  sendResetLink,
  sendNotice,
  sealAudit,
  sendToCrm,
  sweepOutbox,
  refreshVeteran,
  reconcile,
  sendIntakeReceived,
  storeDocument,
  sendReceipt,
  sweepUploads,
  sweepRecords,
]

const BOX_TIMEOUT_MS = 8_000

/** Below the 10 seconds after which a screen gives up. */
const STATEMENT_TIMEOUT_MS = 8_000

const databaseOf = (config: Config) => ({
  url: config.DATABASE_URL,
  size: config.DATABASE_POOL,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})

const connectionLost = (log: Log) => (err: Error) => log.warn({ err }, 'idle connection lost')

const openStore = (config: Config, log: Log) => storeOn(databaseOf(config), log)

function storeOn(options: Omit<DatabaseOptions, 'onIdleError'>, log: Log) {
  const pool = openPool({ ...options, onIdleError: connectionLost(log) })
  // Ended by its pool: Kysely's own destroy leaves the pool open where no query of its own has run yet.
  return { pool, db: openDatabase(pool), close: () => pool.end() }
}

const openPasswords = (config: Config, watch?: LineWatch) =>
  passwords({
    peppers: config.PASSWORD_PEPPER,
    concurrency: config.HASH_CONCURRENCY,
    queue: config.HASH_QUEUE,
    addressFactor: config.ADDRESS_LIMIT_FACTOR,
    ...(watch && { watch }),
  })

export async function migrateAll(config: Config, log: Log): Promise<void> {
  const url = config.DATABASE_OWNER_URL ?? config.DATABASE_URL
  const { db, close } = storeOn({ url, size: 1, statementTimeoutMs: 0, asOwner: true }, log)
  try {
    const migrations = await migrate(db)
    if (migrations.length > 0) log.info({ migrations }, 'migrated')
    await continueNumbers(db)
  } finally {
    await close()
  }
  await migrateQueues(url, jobs, log)
}

export interface Server {
  app: FastifyInstance
  /** Says that it is not ready any more, and goes on serving. */
  drain(): void
  /** Takes no new requests, finishes those in flight, lets go of everything. */
  close(): Promise<void>
}

export async function composeServer(
  config: Config,
  log = createLog(config.LOG_LEVEL, 'api'),
): Promise<Server> {
  const watch = await openWatch({ process: 'api', ...watchPlaces(config), log })
  const { pool, db, close } = openStore(config, log)
  const brandFolder = readBrand(config.BRAND_DIR)
  const { brand } = brandFolder
  const tokens = createTokens(config.TOKEN_KEY)
  const queues = await openSender(pool, log)
  const hashing = await openPasswords(config, hashLineWatch(watch))
  const judging = createStrength()
  const limits = createLimits(db, tokens, config.ADDRESS_LIMIT_FACTOR)
  const sessions = createSessions(db, tokens)
  const challenges = createChallenges({ db, tokens, jobs: queues, limits })
  const data = sealer(config.DATA_KEYS)
  const outbox = createOutbox(db, queues)
  const { arrive } = linking(outbox)
  const arrival = createArrival({
    sessions,
    tokens,
    jobs: queues,
    welcome: async (tx, person) => {
      const linked = await arrive(tx, person)
      if (person.role === 'USER') await queues.send(refreshVeteran, { userId: person.userId }, tx)
      return linked
    },
  })
  const copies = copying({ ...databaseOf(config), size: LISTINGS_AT_ONCE }, connectionLost(log))
  const directory = await emptyDirectory(config.UPLOAD_DIR)
  // On a connection of its own: behind the people's queries a full house would look like an empty one.
  const probe = storeOn({ url: config.DATABASE_URL, size: 1, statementTimeoutMs: 4_000 }, log)
  const state = readiness(
    {
      database: () => probe.pool.query('select 1'),
      'upload folder': () => writable(directory),
    },
    log,
  )
  const scanner = clamd({ address: config.CLAMD_ADDRESS })
  watchProcess(watch, { pool, readiness: state })
  watchLine(watch, hashing.line)
  watchScanner(watch, scanner)

  const app = await createApp({
    log,
    publicUrl: config.PUBLIC_URL,
    allowedOrigins: config.ALLOWED_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    findSession: (access) => findByAccess(db, tokens.hashes('access', access)),
    readiness: state,
    sourceOf: sources(tokens),
    staffActionRefused: staffRefusals(db),
    answered: requestWatch(watch),
  })
  authRoutes(app, {
    signUp: signUp({
      db,
      passwords: hashing,
      strength: judging,
      challenges,
      arrival,
      limits,
      termsVersion: brand.termsVersion,
    }),
    signIn: signIn({
      db,
      tokens,
      passwords: hashing,
      challenges,
      arrival,
      limits,
      phone: brand.phone,
    }),
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
  profileRoutes(app, db)
  appointmentRoutes(app, db)
  caseManagerRoutes(app, db)
  contactRoutes(app, contact(db, outbox))
  intakeRoutes(app, intakes({ db, sealer: data, jobs: queues, outbox }))
  documentRoutes(app, {
    documents: documents(db),
    uploads: uploads({
      db,
      sealer: data,
      scanner: watchedScanner(watch, scanner),
      jobs: queues,
    }),
    receiving: {
      directory,
      admission: admission({
        checkQuota: uploadQuota(db, tokens, {
          files: config.UPLOADS_A_DAY,
          gigabytes: config.UPLOAD_GIGABYTES_A_DAY,
        }),
        freeBytes: () => freeBytes(directory),
        log,
      }),
      pace: UPLOAD_PACE,
    },
  })
  manageUsersRoutes(app, {
    listing: listing({
      db,
      cursors: cursors(tokens),
      stream: (...how) => streamUsers(copies, ...how),
    }),
    managing: managing({
      db,
      outbox,
      strength: judging,
      passwords: hashing,
      clearLimits: limits.clear,
      tellOfPassword: (tx, userId) =>
        queues.send(sendNotice, { userId, notice: 'temporary-password' }, tx),
    }),
    activity: activity(db),
  })
  if (config.NODE_ENV !== 'production') await serveDocs(app, brand.name)
  if (config.WEB_DIR) serveWebApp(app, config.WEB_DIR, brandFolder)

  return {
    app,
    drain: state.leave,
    close: async () => {
      await app.close()
      await probe.close()
      await judging.close()
      await copies.close()
      await queues.stop()
      await close()
      await watch.close()
    },
  }
}

async function openCrm(config: Config, log: Log): Promise<Crm> {
  const crm = salesforceCrm({
    ...salesforceAccess(config),
    mapping: readMapping(config.SALESFORCE_MAPPING_FILE),
    log,
  })
  try {
    await crm.verify()
  } catch (err) {
    // Away is no reason not to start: mail must go out. An org without what we name is.
    if (!(err instanceof CrmUnavailable)) throw err
    log.warn({ err }, 'CRM away, its fields not checked')
  }
  return crm
}

/** Box counts all workers as one account; each takes its share. */
function openFiles(config: Config, log: Log, watch: StoreWatch): Files {
  return boxFiles({
    ...boxAccess(config),
    timeoutMs: BOX_TIMEOUT_MS,
    callsPerMinute: BOX_CALLS_A_MINUTE / config.BOX_SHARE,
    uploadsPerMinute: BOX_UPLOADS_A_MINUTE / config.BOX_SHARE,
    log,
    watch,
  })
}

export interface Worker {
  /** Takes no new jobs and finishes those in hand. */
  close(): Promise<void>
}

export async function composeWorker(
  config: Config,
  log = createLog(config.LOG_LEVEL, 'worker'),
): Promise<Worker> {
  const watch = await openWatch({ process: 'worker', ...watchPlaces(config), log })
  const watched = workWatch(watch)
  const { pool, db, close } = openStore(config, log)
  const { brand } = readBrand(config.BRAND_DIR)
  const tokens = createTokens(config.TOKEN_KEY)
  const mail = watched.mail(smtpMail(smtpAccess(config), brand.emailSender))
  const send = sendOnce(db, mail)
  const portal = config.PUBLIC_URL
  const crm = await openCrm(config, log)
  const files = openFiles(config, log, storeWatch(watch))
  const queues = await openSender(pool, log)
  const data = sealer(config.DATA_KEYS)
  const outbox = createOutbox(db, queues)
  const mailWorks = [
    sendCodeWork({ db, tokens, brand, portal, send }),
    sendResetLinkWork({ db, tokens, brand, portal, send }),
    sendNoticeWork({ db, brand, send }),
    sendIntakeReceivedWork({ db, brand, portal, send }),
    sendReceiptWork({ db, brand, send }),
  ]
  const works = [
    ...mailWorks.map((one) => reportOutcome(one, { log, count: watched.mailOutcome })),
    sealAuditWork(db, log),
    sendToCrmWork({
      db,
      crm,
      log,
      jobs: queues,
      senders: {
        contact: sendContact(crm),
        contact_request: sendContactRequest(crm),
        intake: sendIntake(crm, data),
        document: sendDocument(crm),
      },
    }),
    sweepOutboxWork(db, queues),
    refreshVeteranWork(db, crm),
    reconcileWork(db, crm, log),
    storeDocumentWork({ db, sealer: data, files, outbox, log }),
    sweepUploadsWork(db, queues),
    sweepRecordsWork(db, log),
  ]
  const stop = await startWorking(config.DATABASE_URL, works, log, watched.jobs)
  const stopPolling = startPoller({ db, crm, everySeconds: config.CRM_POLL_SECONDS, log })
  const state = readiness({ database: () => pool.query('select 1') }, log)
  watchProcess(watch, { pool, readiness: state })
  watchBacklog(watch.readings, { db, queues: () => queueStates(pool, 'noted') })
  return {
    close: async () => {
      await Promise.all([stop(), stopPolling()])
      await queues.stop()
      mail.close()
      await crm.close()
      await files.close()
      await close()
      await watch.close()
    },
  }
}

export type Admin = Awaited<ReturnType<typeof composeAdmin>>

export async function composeAdmin(config: Config, log: Log) {
  const { pool, db, close } = openStore(config, log)
  const { hash } = await openPasswords(config)
  const sender = await openSender(pool, log)
  const outbox = createOutbox(db, sender)
  const data = sealer(config.DATA_KEYS)
  const erase = erasing({ db, forgetJobs })
  const limits = createLimits(db, createTokens(config.TOKEN_KEY), config.ADDRESS_LIMIT_FACTOR)
  return {
    records: {
      erase,
      ...exporting({
        db,
        findId: async (email) => (await erase.find(email))?.userId,
        intakeOf: intakes({ db, sealer: data, jobs: sender, outbox }).read,
        bytesOf: (upload) => readChunks(db, data, upload),
      }),
    },
    accounts: accounts({ db, hash, outbox, clearLimits: limits.clear }),
    audit: {
      verify: () => verifyChain(db),
      of: (emailOrId: string) => auditOf(db, emailOrId),
      by: (emailOrId: string) => auditBy(db, emailOrId),
    },
    queues: {
      states: () => queueStates(pool),
      sendAgain: (name: string) => sendAgain(config.DATABASE_URL, name, log),
    },
    crm: {
      status: async () => {
        const [mirror, usage, waiting] = await Promise.all([
          cursorStates(db),
          latestUsage(db),
          outboxState(db),
        ])
        return { mirror, usage, outbox: waiting }
      },
      sendAgain: outbox.sendAgain,
    },
    keys: {
      states: () =>
        keyStates(db, {
          tokens: config.TOKEN_KEY,
          peppers: config.PASSWORD_PEPPER,
          data: config.DATA_KEYS,
        }),
      reseal: () =>
        reseal({
          db,
          sealer: data,
          kinds: { intakes: resealIntakes, chunks: resealChunks },
        }),
    },
    files: {
      status: () => uploadState(db),
      sendAgain: () => sendUploadsAgain(db, sender),
    },
    close: async () => {
      await sender.stop()
      await close()
    },
  }
}
