import { createLog } from '../platform/log.ts'
import { composeWorker, migrateAll } from './compose.ts'
import { configOrExit } from './config.ts'
import { endOnSignal } from './end-on-signal.ts'

/**
 * How long jobs may continue after a signal. The heartbeat of a job that takes longer stops, so another worker repeats
 * it.
 */
const GRACE_MS = 25_000

const config = configOrExit()
const log = createLog(config.LOG_LEVEL, 'worker')

await migrateAll(config, log)
const { close } = await composeWorker(config, log)
endOnSignal({ close, graceMs: GRACE_MS }, log)
log.info('worker ready')
