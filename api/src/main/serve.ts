import { createLog } from '../platform/log.ts'
import { lowerHashingPriority } from '../platform/thread-priority.ts'
import { composeServer } from './compose/compose.ts'
import { loadConfig } from './config/config.ts'
import { endOnSignal } from './end-on-signal.ts'
import { run } from './run.ts'
import { requireMigrations } from './schema.ts'
import { waitForPrimary } from './wait-for-primary.ts'

/** Connections that may wait to be accepted; further ones are retried by the client only seconds later. */
const BACKLOG = 4_096
/** Long enough for an upload over a slow connection. */
const GRACE_MS = 120_000

await run(async () => {
  const config = loadConfig()
  const log = createLog(config.LOG_LEVEL, 'api')
  await waitForPrimary(config, log)
  await requireMigrations(config, log)
  const { app, drain, close } = await composeServer(config, log)
  endOnSignal(
    { drain: { begin: drain, seconds: config.DRAIN_SECONDS }, close, graceMs: GRACE_MS },
    log,
  )
  lowerHashingPriority()
  const address = await app.listen({ host: config.HOST, port: config.PORT, backlog: BACKLOG })
  log.info({ address }, 'api ready')
})
