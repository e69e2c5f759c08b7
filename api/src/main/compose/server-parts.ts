import { openCopyStreams } from '../../db/copy-streams.ts'
import { requireUsable } from '../../db/primary.ts'
import type { ServerParts } from '../../features/feature.ts'
import { MAX_CONCURRENT_LISTINGS } from '../../features/manage-users/listing.ts'
import { checkers } from '../../files/checks/checkers.ts'
import { clamd } from '../../files/checks/clamd.ts'
import { emptyDirectory } from '../../files/empty-directory.ts'
import { writable } from '../../files/writable.ts'
import { strength } from '../../passwords/strength.ts'
import { hasSampleTexts, readBrand } from '../../platform/brand.ts'
import type { Log } from '../../platform/log.ts'
import { readiness } from '../../platform/readiness.ts'
import {
  countInspections,
  countScans,
  fileStoreMetrics,
  reportCheckers,
  reportScanner,
} from '../../telemetry/dependencies.ts'
import { hashQueueMetrics, reportHashQueue } from '../../telemetry/hash-queue.ts'
import { reportProcess } from '../../telemetry/process.ts'
import { countReplicaFallbacks } from '../../telemetry/replica.ts'
import { requestMetrics } from '../../telemetry/requests.ts'
import type { Telemetry } from '../../telemetry/start-telemetry.ts'
import { countViews } from '../../telemetry/views.ts'
import { checkerSockets } from '../config/access.ts'
import type { Config } from '../config/config.ts'
import { openFiles } from '../open-files.ts'
import {
  onIdleError,
  openCommonParts,
  openPasswords,
  openStore,
  openTelemetry,
  RESPONSE_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
} from './common-parts.ts'

/** Opens the parts that only the API has. */

/** Its own connection, so that a saturated pool is not reported as a database outage. */
const READINESS_POOL = { size: 1, statementTimeoutMs: 4_000 }
/** A person waits for the file, unlike for an upload to the file store. */
const VIEWER_WAITS = { bytesTimeoutMs: 15_000, maxRateLimitWaitMs: 3_000 }

export async function openServerParts(closing: AsyncDisposableStack, config: Config, log: Log) {
  const telemetry = await openTelemetry(closing, config, 'api', log)
  const { pool, ...common } = await openCommonParts(closing, config, log, {
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    onReplicaFallback: countReplicaFallbacks(telemetry),
  })
  const { DATABASE_URL, DATABASE_READ_URL } = config
  const copyStreams = openListingStreams(closing, DATABASE_URL, log)
  const replicaStreams = DATABASE_READ_URL && openListingStreams(closing, DATABASE_READ_URL, log)
  const passwords = await openPasswords(config, hashQueueMetrics(telemetry))
  const brandFolder = readBrand(config.BRAND_DIR)
  if (config.NODE_ENV === 'production' && hasSampleTexts(brandFolder.brand)) {
    log.warn('brand: legal texts are samples')
  }
  const uploadDirectory = await emptyDirectory(config.UPLOAD_DIR)
  const scanner = clamd({ address: config.CLAMD_ADDRESS })
  const fileCheckers = checkers(checkerSockets(config))
  const probe = openStore(closing, { url: config.DATABASE_URL, ...READINESS_POOL }, log)
  const state = readiness(
    {
      database: () => requireUsable(probe.pool),
      'upload folder': () => writable(uploadDirectory),
    },
    log,
  )
  reportProcess(telemetry, { pool, readiness: state })
  reportHashQueue(telemetry, passwords.queueState)
  reportScanner(telemetry, scanner)
  reportCheckers(telemetry, fileCheckers)
  const parts: ServerParts = {
    ...common,
    copyStreams,
    replicaStreams: replicaStreams || undefined,
    passwords,
    strength: strength(),
    brand: brandFolder.brand,
    stages: brandFolder.stages,
    scanner: countScans(telemetry, scanner),
    checkers: countInspections(telemetry, fileCheckers),
    uploadDirectory,
    uploadQuota: { files: config.UPLOADS_A_DAY, gigabytes: config.UPLOAD_GIGABYTES_A_DAY },
    unfinishedMaxBytes: config.UNFINISHED_GIGABYTES * 1024 ** 3,
    viewing:
      config.DOCUMENT_VIEWING === 'on' ? openViewing(closing, config, telemetry, log) : undefined,
  }
  return { parts, state, brandFolder, onResponse: requestMetrics(telemetry) }
}

function openViewing(
  closing: AsyncDisposableStack,
  config: Config,
  telemetry: Telemetry,
  log: Log,
): ServerParts['viewing'] {
  const metrics = fileStoreMetrics(telemetry)
  const files = openFiles(closing, config, 'api', { log, metrics, ...VIEWER_WAITS })
  return { files, count: countViews(telemetry) }
}

/** Its own connections, because a listing holds one as long as the client reads. */
function openListingStreams(closing: AsyncDisposableStack, url: string, log: Log) {
  const options = {
    url,
    size: MAX_CONCURRENT_LISTINGS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  }
  const streams = openCopyStreams(options, onIdleError(log))
  closing.defer(() => streams.close())
  return streams
}
