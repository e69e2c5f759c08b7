import { composeWorker, migrateAll } from './compose.ts'
import { configOrExit } from './config.ts'
import { createLog } from './http/log.ts'
import { closeOnSignal } from './until-signal.ts'

const config = configOrExit()
const log = createLog(config.LOG_LEVEL, 'worker')

await migrateAll(config, log)
const { close } = await composeWorker(config, log)
closeOnSignal(close, log)
log.info('worker ready')
