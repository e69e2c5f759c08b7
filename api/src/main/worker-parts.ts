import { CrmUnavailable } from '../crm/port.ts'
import type { Crm } from '../crm/port.ts'
import { readMapping } from '../crm/salesforce/mapping.ts'
import { salesforceCrm } from '../crm/salesforce/salesforce-crm.ts'
import type { Feature, WorkerParts } from '../features/feature.ts'
import { boxFiles } from '../files/box/box-files.ts'
import { BOX_CALLS_PER_MINUTE, BOX_UPLOADS_PER_MINUTE } from '../files/box/connect.ts'
import type { Files, FileStoreMetrics } from '../files/port.ts'
import { queueControl } from '../jobs/queues.ts'
import { sendOnce } from '../mail/send-once.ts'
import { smtpMail } from '../mail/smtp/smtp-mail.ts'
import { readBrand } from '../platform/brand.ts'
import type { Log } from '../platform/log.ts'
import { readiness } from '../platform/readiness.ts'
import { fileStoreMetrics } from '../telemetry/dependencies.ts'
import { jobMetrics } from '../telemetry/jobs.ts'
import { reportProcess } from '../telemetry/process.ts'
import { openCommonParts, openTelemetry } from './common-parts.ts'
import { boxAccess, salesforceAccess, smtpAccess } from './config-access.ts'
import type { Config } from './config.ts'
import { retentionOf, sendersOf } from './merge-features.ts'

/** Opens the parts that only the worker has. */

const BOX_TIMEOUT_MS = 8_000

export async function openWorkerParts(
  closing: AsyncDisposableStack,
  config: Config,
  features: readonly Feature[],
  log: Log,
) {
  const telemetry = await openTelemetry(closing, config, 'worker', log)
  const metrics = jobMetrics(telemetry)
  const { pool, ...common } = await openCommonParts(closing, config, log)
  const { db, sealer } = common
  const files = openFiles(closing, config, log, fileStoreMetrics(telemetry))
  const crm = await openCrm(closing, config, log)
  const { brand } = readBrand(config.BRAND_DIR)
  const mail = metrics.mail(smtpMail(smtpAccess(config), brand.emailSender))
  closing.defer(() => mail.close())
  reportProcess(telemetry, {
    pool,
    readiness: readiness({ database: () => pool.query('select 1') }, log),
  })
  const queues = queueControl(pool, config.DATABASE_URL, log)
  for (const source of features.flatMap(({ gauges }) => gauges?.({ db, queues }) ?? [])) {
    telemetry.gauges.add(source)
  }
  const parts: WorkerParts = {
    ...common,
    brand,
    portal: config.PUBLIC_URL,
    send: sendOnce(db, mail),
    crm,
    files,
    senders: sendersOf(features, { sealer }),
    retention: retentionOf(features),
  }
  return { parts, metrics }
}

async function openCrm(closing: AsyncDisposableStack, config: Config, log: Log): Promise<Crm> {
  const crm = salesforceCrm({
    ...salesforceAccess(config),
    mapping: readMapping(config.SALESFORCE_MAPPING_FILE),
    log,
  })
  closing.defer(() => crm.close())
  try {
    await crm.verify()
  } catch (err) {
    // Start even if Salesforce is unreachable, because codes must be mailed. An org without a mapped field is an error.
    if (!(err instanceof CrmUnavailable)) throw err
    log.warn({ err }, 'crm: unreachable, fields not verified')
  }
  return crm
}

/** Box counts all workers as one account, so each worker takes its share. */
function openFiles(
  closing: AsyncDisposableStack,
  config: Config,
  log: Log,
  metrics: FileStoreMetrics,
): Files {
  const files = boxFiles({
    ...boxAccess(config),
    timeoutMs: BOX_TIMEOUT_MS,
    callsPerMinute: BOX_CALLS_PER_MINUTE / config.BOX_SHARE,
    uploadsPerMinute: BOX_UPLOADS_PER_MINUTE / config.BOX_SHARE,
    log,
    metrics,
  })
  closing.defer(() => files.close())
  return files
}
