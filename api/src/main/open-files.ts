import { boxFiles } from '../files/box/box-files.ts'
import type { BoxFilesOptions } from '../files/box/box-files.ts'
import { BOX_CALLS_PER_MINUTE, BOX_UPLOADS_PER_MINUTE } from '../files/box/connect.ts'
import type { Files } from '../files/port.ts'
import { boxAccess } from './config-access.ts'
import type { Config } from './config.ts'

const BOX_TIMEOUT_MS = 8_000

/** Box counts all our processes as one account, so each process takes its share. */
export function openFiles(
  closing: AsyncDisposableStack,
  config: Config,
  options: Pick<BoxFilesOptions, 'log' | 'metrics' | 'bytesTimeoutMs' | 'longestOwnWaitMs'>,
): Files {
  const files = boxFiles({
    ...boxAccess(config),
    timeoutMs: BOX_TIMEOUT_MS,
    callsPerMinute: BOX_CALLS_PER_MINUTE / config.BOX_SHARE,
    uploadsPerMinute: BOX_UPLOADS_PER_MINUTE / config.BOX_SHARE,
    ...options,
  })
  closing.defer(() => files.close())
  return files
}
