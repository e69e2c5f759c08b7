import { composeServer, migrateAll } from './compose.ts'
import { configOrExit } from './config.ts'
import { createLog } from './http/log.ts'
import { closeOnSignal } from './until-signal.ts'

const config = configOrExit()
const log = createLog(config.LOG_LEVEL, 'api')

await migrateAll(config, log)
const { app, close } = await composeServer(config, log)
closeOnSignal(close, log)
const address = await app.listen({ host: config.HOST, port: config.PORT })
log.info({ address }, 'api ready')
