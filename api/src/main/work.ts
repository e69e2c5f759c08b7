import { createLog } from '../platform/log.ts'
import { composeWorker, migrateAll } from './compose.ts'
import { configOrExit } from './config.ts'
import { endOnSignal } from './end-on-signal.ts'

/** A job that is cut off is found by its silent heartbeat and done again by another worker. */
const GRACE_MS = 25_000

const config = configOrExit()
const log = createLog(config.LOG_LEVEL, 'worker')

await migrateAll(config, log)
const { close } = await composeWorker(config, log)
endOnSignal({ close, graceMs: GRACE_MS }, log)
log.info('worker ready')
