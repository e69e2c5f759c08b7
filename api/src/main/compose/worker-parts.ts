import { callCounter } from '../../crm/call-counter.ts'
import { PURPOSES } from '../../crm/port.ts'
import type { Crm, Purpose } from '../../crm/port.ts'
import { readMapping } from '../../crm/salesforce/mapping.ts'
import { salesforceCrm } from '../../crm/salesforce/salesforce-crm.ts'
import { requireUsable } from '../../db/primary.ts'
import type { Feature, WorkerParts } from '../../features/feature.ts'
import { noticesFromMirror } from '../../features/notices/from-mirror.ts'
import { queueControl } from '../../jobs/queues.ts'
import { pop3Mailbox } from '../../mail/pop3/pop3-mailbox.ts'
import { returnPaths } from '../../mail/return-path.ts'
import { sendOnce } from '../../mail/send-once.ts'
import { smtpMail } from '../../mail/smtp/smtp-mail.ts'
import { readBrand } from '../../platform/brand.ts'
import type { Log } from '../../platform/log.ts'
import { readiness } from '../../platform/readiness.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { reportBackup } from '../../telemetry/backup.ts'
import { countCrmCalls, fileStoreMetrics } from '../../telemetry/dependencies.ts'
import { jobMetrics } from '../../telemetry/jobs.ts'
import { reportProcess } from '../../telemetry/process.ts'
import { countReplicaFallbacks } from '../../telemetry/replica.ts'
import { bounceAccess, salesforceAccess, smtpAccess } from '../config/access.ts'
import type { Config } from '../config/config.ts'
import { openFiles } from '../open-files.ts'
import { walArchiveState } from '../wal-archive.ts'
import { openCommonParts, openStore, openTelemetry, STATEMENT_TIMEOUT_MS } from './common-parts.ts'
import { retentionOf, sendersOf } from './merge-features.ts'

/** Opens the parts that only the worker has. */

/** Codes have their own connections to the database and the relay, so that nothing else can delay a sign-in. */
const CODE_POOL = { size: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS }

export async function openWorkerParts(
  closing: AsyncDisposableStack,
  config: Config,
  features: readonly Feature[],
  log: Log,
) {
  const telemetry = await openTelemetry(closing, config, 'worker', log)
  const metrics = jobMetrics(telemetry)
  const { pool, ...common } = await openCommonParts(closing, config, log, {
    onReplicaFallback: countReplicaFallbacks(telemetry),
  })
  const { db, sealer } = common
  const files = openFiles(closing, config, 'worker', { log, metrics: fileStoreMetrics(telemetry) })
  const counter = callCounter(db, log)
  closing.defer(() => counter.close())
  const countCall = countCrmCalls(telemetry, PURPOSES)
  const crm = openCrm(closing, config, log, (purpose) => {
    countCall(purpose)
    counter.count(purpose)
  })
  const { brand, stages } = readBrand(config.BRAND_DIR)
  const reports = openReports(config, common.tokens)
  const openMail = () => {
    const mail = metrics.mail(smtpMail(smtpAccess(config), brand.emailSender, reports?.paths.of))
    closing.defer(() => mail.close())
    return mail
  }
  const { db: codeDb } = openStore(closing, { url: config.DATABASE_URL, ...CODE_POOL }, log)
  reportProcess(telemetry, {
    pool,
    readiness: readiness({ database: () => requireUsable(pool) }, log),
  })
  if (config.BACKUP_METRICS_PATH) {
    const path = config.BACKUP_METRICS_PATH
    reportBackup(telemetry, { path, walArchive: () => walArchiveState(db) })
  }
  const queues = queueControl(pool, config.DATABASE_URL, log)
  for (const source of features.flatMap(({ gauges }) => gauges?.({ db, queues }) ?? [])) {
    telemetry.gauges.add(source)
  }
  const parts: WorkerParts = {
    ...common,
    brand,
    stages,
    portal: config.PUBLIC_URL,
    send: sendOnce(db, openMail()),
    codes: { db: codeDb, send: sendOnce(codeDb, openMail()) },
    reports,
    crm,
    onChanges: noticesFromMirror(),
    files,
    senders: sendersOf(features, { sealer, links: common.links }),
    retention: retentionOf(features),
  }
  return { parts, metrics, telemetry }
}

function openReports(config: Config, tokens: Tokens): WorkerParts['reports'] {
  const access = bounceAccess(config)
  return access && { mailbox: pop3Mailbox(access.url), paths: returnPaths(tokens, access.address) }
}

function openCrm(
  closing: AsyncDisposableStack,
  config: Config,
  log: Log,
  onCall: (purpose: Purpose) => void,
): Crm {
  const crm = salesforceCrm({
    ...salesforceAccess(config),
    mapping: readMapping(config.SALESFORCE_MAPPING_FILE),
    log,
    onCall,
  })
  closing.defer(() => crm.close())
  return crm
}
