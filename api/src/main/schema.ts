import type { Database } from '../db/database.ts'
import { migrationState } from '../db/migrate.ts'
import type { MigrationState } from '../db/migrate.ts'
import { missingQueues } from '../jobs/queues.ts'
import type { Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { openStore, RESPONSE_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './compose/common-parts.ts'
import { features } from './compose/features.ts'
import { jobsOf } from './compose/merge-features.ts'
import type { Config } from './config/config.ts'

const NAMED_MAX = 3

/**
 * One connection, which fails if the server does not respond. With `asOwner`, it keeps the role of its login instead of
 * guidon_app, which does not exist before the first migration.
 */
export async function withDatabase<Result>(
  { config, log }: { config: Pick<Config, 'DATABASE_URL'>; log: Log },
  read: (db: Database, pool: ReturnType<typeof openStore>['pool']) => Promise<Result>,
  asOwner = true,
): Promise<Result> {
  await using closing = new AsyncDisposableStack()
  const options = {
    url: config.DATABASE_URL,
    size: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    asOwner,
  }
  const { pool, db } = openStore(closing, options, log)
  return await read(db, pool)
}

/** What the database lacks of this release, and what it has of a newer one. */
export function schemaState(
  config: Pick<Config, 'DATABASE_URL'>,
  log: Log,
): Promise<MigrationState> {
  return withDatabase({ config, log }, async (db, pool) => {
    const { missing, newer } = await migrationState(db)
    if (missing.length > 0) return { missing, newer }
    const queues = await missingQueues(pool, jobsOf(features))
    return { missing: queues.map((name) => `queue ${name}`), newer }
  })
}

export function firstOf(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
  return `${names.slice(0, NAMED_MAX).join(', ')}${more}`
}

export const missingText = (missing: readonly string[]) => `The database lacks ${firstOf(missing)}`

export const RUN_MIGRATE =
  'Run `npm run admin -- migrate`, or with compose `docker compose -f deploy/compose.yaml run --rm migrate`.'

/** Only `migrate` changes the schema. Every other process refuses a database that lacks something of this release. */
export async function requireMigrations(config: Config, log: Log): Promise<void> {
  const { missing } = await schemaState(config, log)
  if (missing.length === 0) return
  throw new OperatorError(`${missingText(missing)}. ${RUN_MIGRATE}`)
}
