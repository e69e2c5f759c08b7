import { createLog } from '../platform/log.ts'
import { composeWorker } from './compose/compose.ts'
import { loadConfig } from './config/config.ts'
import { endOnSignal } from './end-on-signal.ts'
import { run } from './run.ts'
import { requireMigrations } from './schema.ts'
import { waitForPrimary } from './wait-for-primary.ts'

/**
 * How long jobs may continue after a signal. The heartbeat of a job that takes longer stops, so another worker repeats
 * it.
 */
const GRACE_MS = 25_000

await run(async () => {
  const config = loadConfig()
  const log = createLog(config.LOG_LEVEL, 'worker')
  await waitForPrimary(config, log)
  await requireMigrations(config, log)
  const { close } = await composeWorker(config, log)
  endOnSignal({ close, graceMs: GRACE_MS }, log)
  log.info('worker ready')
})
