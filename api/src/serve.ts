import { composeServer, migrateAll } from './compose.ts'
import { configOrExit } from './config.ts'
import { createLog } from './http/log.ts'
import { putHashingBehind } from './threads.ts'
import { closeOnSignal } from './until-signal.ts'

/** Connections the system keeps until we take them: one that finds no room there tries again seconds later. */
const BACKLOG = 4_096

const config = configOrExit()
const log = createLog(config.LOG_LEVEL, 'api')

await migrateAll(config, log)
const { app, close } = await composeServer(config, log)
closeOnSignal(close, log)
putHashingBehind()
const address = await app.listen({ host: config.HOST, port: config.PORT, backlog: BACKLOG })
log.info({ address }, 'api ready')
