import type { AdminParts, Feature } from '../../features/feature.ts'
import { queueControl } from '../../jobs/queues.ts'
import type { Log } from '../../platform/log.ts'
import { openCommonParts, openPasswords } from '../compose/common-parts.ts'
import { encryptedOf, exportsOf } from '../compose/merge-features.ts'
import { passwordPeppers } from '../config/access.ts'
import type { Config } from '../config/config.ts'
import { asOwner } from './as-owner.ts'

/** Opens the parts that only admin commands have. */

export async function openAdminParts(
  closing: AsyncDisposableStack,
  config: Config,
  features: readonly Feature[],
  log: Log,
): Promise<AdminParts> {
  const { pool, ...common } = await openCommonParts(closing, config, log)
  return {
    ...common,
    passwords: await openPasswords(config),
    asOwner: (work) => asOwner(config, log, work),
    queues: queueControl(pool, config.DATABASE_URL, log),
    keys: {
      tokens: config.TOKEN_KEY,
      peppers: passwordPeppers(config),
      data: config.DATA_KEYS,
    },
    exports: exportsOf(features, common),
    encrypted: encryptedOf(features),
  }
}
