import type { FastifyInstance } from 'fastify'
import { startPoller } from '../../crm/mirror/poller.ts'
import { rereadChangedKinds } from '../../crm/mirror/reconcile.ts'
import { startSender } from '../../crm/outbox/sender.ts'
import { startWhenVerified } from '../../crm/start-when-verified.ts'
import { recordEvent } from '../../db/audit-events.ts'
import { migrate } from '../../db/migrate.ts'
import { makePartitions } from '../../db/partitions.ts'
import { findByAccess } from '../../db/sessions.ts'
import { continueTransactionNumbers } from '../../features/audit/seals.sql.ts'
import { staffRefusals } from '../../features/audit/staff-refusals.ts'
import type { Feature } from '../../features/feature.ts'
import { createApp } from '../../http/app.ts'
import { serveDocs } from '../../http/docs.ts'
import { sources } from '../../http/source.ts'
import { serveWebApp } from '../../http/web-app.ts'
import { migrateQueues } from '../../jobs/queues.ts'
import { openJobWorker } from '../../jobs/working.ts'
import { reportOutcome } from '../../mail/report-outcome.ts'
import { createLog } from '../../platform/log.ts'
import type { Log } from '../../platform/log.ts'
import { reportCrmState } from '../../telemetry/dependencies.ts'
import { openAdminParts } from '../admin/admin-parts.ts'
import { asOwner, ownerUrl } from '../admin/as-owner.ts'
import type { Config } from '../config/config.ts'
import { schemaState } from '../schema.ts'
import { features } from './features.ts'
import { jobsOf, servicesOf } from './merge-features.ts'
import { openServerParts } from './server-parts.ts'
import { openWorkerParts } from './worker-parts.ts'

/** Opens the parts of each process and adds the features; closes the parts in reverse order. */

const all: readonly Feature[] = features

export async function migrateAll(config: Config, log: Log): Promise<void> {
  const url = ownerUrl(config)
  // Fails if PostgreSQL does not respond, which a migration itself would wait for without a limit.
  await schemaState({ DATABASE_URL: url }, log)
  await asOwner(config, log, async (db) => {
    const migrations = await migrate(db)
    if (migrations.length > 0) log.info({ migrations }, 'database: migrated')
    await continueTransactionNumbers(db)
    await makePartitions(db)
  })
  await migrateQueues(url, jobsOf(all), log)
}

export interface Server {
  app: FastifyInstance
  /** Reports not ready but continues to serve. */
  drain(): void
  /** Accepts no new requests, finishes those in flight, and closes all parts. */
  close(): Promise<void>
}

export async function composeServer(
  config: Config,
  log = createLog(config.LOG_LEVEL, 'api'),
): Promise<Server> {
  await using closing = new AsyncDisposableStack()
  const { parts, state, brandFolder, onResponse } = await openServerParts(closing, config, log)
  const { db, tokens, brand } = parts
  const app = await createApp({
    log,
    publicUrl: config.PUBLIC_URL,
    allowedOrigins: config.ALLOWED_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    findSession: (access, options) => findByAccess(db, tokens.searchFor('access', access), options),
    readiness: state,
    sourceOf: sources(tokens),
    staffActionRefused: staffRefusals(db),
    onResponse,
  })
  closing.defer(() => app.close())
  for (const { serve } of all) serve?.(app, parts)
  if (config.NODE_ENV !== 'production') await serveDocs(app, brand.name)
  const settings = config.DOCUMENT_VIEWING === 'on' ? { documentViewing: true } : {}
  if (config.WEB_DIR) serveWebApp(app, config.WEB_DIR, brandFolder, settings)

  const opened = closing.move()
  return { app, drain: state.drain, close: () => opened.disposeAsync() }
}

export interface Worker {
  /** Starts no new jobs and finishes the running ones. */
  close(): Promise<void>
}

export async function composeWorker(
  config: Config,
  log = createLog(config.LOG_LEVEL, 'worker'),
): Promise<Worker> {
  await using closing = new AsyncDisposableStack()
  const { parts, metrics, telemetry } = await openWorkerParts(closing, config, all, log)
  const { db, crm } = parts
  const works = all
    .flatMap(({ work }) => work?.(parts) ?? [])
    .map((work) => reportOutcome(work, { log, count: metrics.mailOutcome }))
  const jobs = await openJobWorker(config.DATABASE_URL, log, metrics.jobs)
  await jobs.work(works.filter(({ needsCrm }) => !needsCrm))
  const verification = startWhenVerified({
    db,
    crm,
    everySeconds: config.CRM_CHECK_SECONDS,
    onVerified: () => rereadChangedKinds(parts, crm),
    log,
    starters: [
      () =>
        startPoller({
          ...parts,
          everySeconds: config.CRM_POLL_SECONDS,
          checkSoon: () => verification.checkSoon(),
        }),
      () => startSender({ ...parts, everySeconds: config.CRM_SEND_SECONDS }),
      () => jobs.work(works.filter(({ needsCrm }) => needsCrm)),
    ],
  })
  reportCrmState(telemetry, verification)
  closing.defer(async () => void (await Promise.all([jobs.stop(), verification.stop()])))
  const opened = closing.move()
  return { close: () => opened.disposeAsync() }
}

export async function composeAdmin(config: Config, log: Log) {
  await using closing = new AsyncDisposableStack()
  const parts = await openAdminParts(closing, config, all, log)
  const services = servicesOf(features, parts)
  const opened = closing.move()
  return {
    ...services,
    recordCommand: (command: string) =>
      recordEvent(parts.db, { event: 'admin_command_started', details: { command } }),
    close: () => opened.disposeAsync(),
  }
}
