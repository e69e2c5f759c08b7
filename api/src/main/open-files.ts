import { boxFiles } from '../files/box/box-files.ts'
import type { BoxFilesOptions } from '../files/box/box-files.ts'
import { BOX_CALLS_PER_MINUTE, BOX_UPLOADS_PER_MINUTE } from '../files/box/connect.ts'
import type { Files } from '../files/port.ts'
import { boxAccess } from './config/access.ts'
import type { Config } from './config/config.ts'

const BOX_TIMEOUT_MS = 8_000

/** Of the calls that all processes may make. Most calls of a worker store files, which can wait longer than a viewer. */
const VIEWERS_PART = 1 / 5

/** Box counts all our processes as one account, so each process takes its share. Only workers upload. */
export function boxShare(config: Config, process: 'api' | 'worker') {
  const { BOX_SHARE: workers, BOX_VIEWERS: viewers, DOCUMENT_VIEWING: viewing } = config
  if (process === 'api') {
    return { callsPerMinute: (BOX_CALLS_PER_MINUTE * VIEWERS_PART) / viewers }
  }
  const workersPart = viewing === 'on' ? 1 - VIEWERS_PART : 1
  return {
    callsPerMinute: (BOX_CALLS_PER_MINUTE * workersPart) / workers,
    uploadsPerMinute: BOX_UPLOADS_PER_MINUTE / workers,
  }
}

export function openFiles(
  closing: AsyncDisposableStack,
  config: Config,
  process: 'api' | 'worker',
  options: Pick<BoxFilesOptions, 'log' | 'metrics' | 'bytesTimeoutMs' | 'maxRateLimitWaitMs'>,
): Files {
  const files = boxFiles({
    ...boxAccess(config),
    timeoutMs: BOX_TIMEOUT_MS,
    ...boxShare(config, process),
    ...options,
  })
  closing.defer(() => files.close())
  return files
}
