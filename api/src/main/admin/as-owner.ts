import type { Database } from '../../db/database.ts'
import type { Log } from '../../platform/log.ts'
import { openStore } from '../compose/common-parts.ts'
import type { Config } from '../config/config.ts'

export const ownerUrl = (config: Config) => config.DATABASE_OWNER_URL ?? config.DATABASE_URL

/** Connects as the owner of the tables, without a limit on the time of statements. */
export async function asOwner<T>(
  config: Config,
  log: Log,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  await using closing = new AsyncDisposableStack()
  const options = { url: ownerUrl(config), size: 1, statementTimeoutMs: 0, asOwner: true }
  return await work(openStore(closing, options, log).db)
}
