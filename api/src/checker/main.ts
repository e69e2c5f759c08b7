import { createLog } from '../platform/log.ts'
import { findBounds } from './bounds.ts'
import { inspectScript } from './inspect-script.ts'
import { serveChecks } from './server.ts'

/** `main.ts <path of the socket>`: inspects files for the API. It has no configuration, and needs no environment. */

const socket = process.argv[2]
if (!socket) {
  process.stderr.write('Usage: main.ts <path of the socket>\n')
  process.exit(64)
}
const log = createLog('info', 'checker')
const { bounds, isConfined } = await findBounds()
const missing = Object.entries(bounds).flatMap(([name, holds]) => (holds ? [] : [name]))
if (missing.length > 0) log.warn({ missing }, 'checker: some bounds do not hold here')
const inspector = { script: await inspectScript(), isConfined }
const { close } = await serveChecks({ socket, inspector, bounds, log })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void close())
log.info({ address: socket }, 'checker ready')
