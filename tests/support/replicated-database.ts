import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@guidon/sandbox/postgres'
import { startStandby } from '@guidon/sandbox/postgres/standby'
import { inject } from 'vitest'
import { migrateAll } from '../../api/src/main/compose/compose.ts'
import { parseConfig } from '../../api/src/main/config/config.ts'
import { createLog } from '../../api/src/platform/log.ts'
import { afterFile } from './after-file.ts'

/** A PostgreSQL with our schema and a streaming replica. */
export async function replicatedDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-replica-'))
  const primary = await startPostgres({ dataDir, durable: false })
  const database = await primary.createDatabase('guidon')
  const environment = { ...inject('environment'), DATABASE_URL: database }
  await migrateAll(parseConfig(environment), createLog('error', 'test'))
  const standby = await startStandby(primary.url)
  const closing = new AsyncDisposableStack()
  closing.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  closing.defer(() => primary.stop())
  closing.defer(() => standby.stop())
  afterFile(() => closing.disposeAsync())
  return {
    dataDir,
    database,
    replica: standby.urlOf(database),
    stopReplica: () => standby.stop(),
    /** Registers what must be closed before the databases. */
    closeBeforeDatabases: (close: () => Promise<unknown>) =>
      closing.defer(async () => void (await close())),
  }
}
