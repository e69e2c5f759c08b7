import { createLinks } from '../../crm/links/links.ts'
import { refreshIfDue } from '../../crm/mirror/refresh-veteran.ts'
import { outbox as createOutbox } from '../../crm/outbox/outbox.ts'
import { openDatabase, openPool } from '../../db/database.ts'
import type { DatabaseOptions } from '../../db/database.ts'
import { requireAppRole } from '../../db/primary.ts'
import { primaryReader, replicaReader } from '../../db/reader.ts'
import type { Reader } from '../../db/reader.ts'
import { endSignInsOf } from '../../features/auth/end-sign-ins.ts'
import { limits } from '../../features/auth/limits.ts'
import { sendNotice } from '../../features/auth/send-notice.ts'
import { deleteSignUps } from '../../features/auth/sign-ups.sql.ts'
import { recordConsents } from '../../features/consents/consents.sql.ts'
import { dueConsents } from '../../features/consents/consents.ts'
import { handOffUploads } from '../../features/documents/hand-off/hand-off-uploads.ts'
import { readChunks } from '../../features/documents/receive/chunks.ts'
import type { Calls, CommonParts } from '../../features/feature.ts'
import { askWorker } from '../../features/folders/ask-worker.ts'
import { linking } from '../../features/linking/linking.ts'
import { sendLinkNews } from '../../features/linking/send-link-news.ts'
import { signUpLink } from '../../features/linking/sign-up-link.ts'
import { openJobQueues } from '../../jobs/queues.ts'
import { passwords } from '../../passwords/passwords.ts'
import { sealer } from '../../platform/crypto/sealer.ts'
import type { QueueMetrics } from '../../platform/fair-semaphore.ts'
import type { Log } from '../../platform/log.ts'
import { tokens as createTokens } from '../../platform/tokens.ts'
import { startTelemetry } from '../../telemetry/start-telemetry.ts'
import { passwordPeppers, telemetryAddresses } from '../config/access.ts'
import type { Config } from '../config/config.ts'

/** Less than the 10 seconds after which a screen reports a failure. */
export const STATEMENT_TIMEOUT_MS = 8_000
/** Of the database to a statement: longer, so that PostgreSQL cancels a slow one first. */
export const RESPONSE_TIMEOUT_MS = 10_000

/** Connections to the replica, without those of streamed listings. */
const READ_POOL = 3

export const onIdleError = (log: Log) => (err: Error) =>
  log.warn({ err }, 'database: idle connection lost')

export function openStore(
  closing: AsyncDisposableStack,
  options: Omit<DatabaseOptions, 'onIdleError'>,
  log: Log,
) {
  const pool = openPool({ ...options, onIdleError: onIdleError(log) })
  // The pool is ended directly: Kysely's destroy leaves it open if no query has run yet.
  closing.defer(() => pool.end())
  return { pool, db: openDatabase(pool) }
}

export async function openTelemetry(
  closing: AsyncDisposableStack,
  config: Config,
  process: 'api' | 'worker',
  log: Log,
) {
  const telemetry = await startTelemetry({ process, ...telemetryAddresses(config), log })
  closing.defer(() => telemetry.close())
  return telemetry
}

/** Calls from one feature to another. Features call each other only through these. */
function callsBetween(
  { tokens, jobs, outbox, ...parts }: Omit<CommonParts, 'calls'>,
  waitSeconds: number,
): Calls {
  const { linkAccount } = linking({ outbox, links: parts.links })
  const onSignedIn: Calls['onSignedIn'] = async (tx, user) => {
    const linked = await linkAccount(tx, user)
    if (user.role === 'USER') await refreshIfDue(tx, jobs, user.userId)
    return linked
  }
  return {
    onSignedIn,
    ...signUpLink({ ...parts, jobs, onSignedIn, waitSeconds }),
    recordConsents,
    areConsentsDue: async (tx, userId, legal) => (await dueConsents(tx, userId, legal)).length > 0,
    endSignIns: endSignInsOf,
    requireFolder: askWorker(parts.db, jobs).requireFolder,
    clearLimits: limits(parts.db, tokens, parts.addressLimitFactor).clear,
    notifyOfTemporaryPassword: (tx, userId) =>
      jobs.send(sendNotice, { userId, notice: 'temporary-password' }, tx),
    readUpload: (upload) => readChunks(parts.db, parts.sealer, upload),
    deleteSignUps,
    withHandOff: handOffUploads(parts.db, tokens),
  }
}

interface CommonOptions {
  /**
   * Only of an API: some statements of workers and commands take minutes, and set a longer statement timeout
   * themselves.
   */
  responseTimeoutMs?: number
  onReplicaFallback?: () => void
}

/** Opens the parts that every process has; `closing` closes them. */
export async function openCommonParts(
  closing: AsyncDisposableStack,
  config: Config,
  log: Log,
  { onReplicaFallback, ...timeouts }: CommonOptions = {},
) {
  const store = {
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    ...timeouts,
  }
  const { pool, db } = openStore(closing, store, log)
  await requireAppRole(pool)
  const openReader = (url: string): Reader => {
    const replica = openStore(closing, { ...store, url, size: READ_POOL }, log).db
    const options = onReplicaFallback ? { onFallback: onReplicaFallback } : {}
    return replicaReader({ primary: db, replica, log, ...options })
  }
  const jobs = await openJobQueues(pool, log)
  closing.defer(() => jobs.stop())
  const outbox = createOutbox(db)
  const parts = {
    db,
    reader: config.DATABASE_READ_URL ? openReader(config.DATABASE_READ_URL) : primaryReader(db),
    tokens: createTokens(config.TOKEN_KEY),
    jobs,
    outbox,
    links: createLinks({ outbox, tell: (tx, news) => jobs.send(sendLinkNews, news, tx) }),
    sealer: sealer(config.DATA_KEYS),
    addressLimitFactor: config.ADDRESS_LIMIT_FACTOR,
    log,
  }
  return { ...parts, pool, calls: callsBetween(parts, config.CRM_SIGN_UP_SECONDS) }
}

export const openPasswords = (config: Config, metrics?: QueueMetrics) =>
  passwords({
    peppers: passwordPeppers(config),
    concurrency: config.HASH_CONCURRENCY,
    queue: config.HASH_QUEUE,
    addressFactor: config.ADDRESS_LIMIT_FACTOR,
    ...(metrics && { metrics }),
  })
