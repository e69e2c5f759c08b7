import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PostgresDidNotStart } from '../postgres/server.ts'
import { missingUploadTools } from '../tools.ts'
import { checkReachable } from './database.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import { seedDemoCrm } from './demo-crm.ts'
import { checkPortsFree, devPorts, portTaken } from './dev-ports.ts'
import { consoleLog } from './logs.ts'
import { startStack } from './stack.ts'
import type { Stack } from './stack.ts'
import { startErrorText } from './start-error.ts'
import { startSummary } from './start-summary.ts'

// Short, because a developer waits for it.
const STOP_TIMEOUT_MS = 3_000
const DATA_DIR = join(resolve(import.meta.dirname, '../../..'), '.data')

/** `npm run admin` reads this file, so that its commands work on the running product. */
const ENV_FILE = join(DATA_DIR, 'dev.env')

// API and worker start again after each change, and would compile the unchanged code again.
process.env['NODE_COMPILE_CACHE'] ??= join(DATA_DIR, 'compiled')

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopping.abort())
}
// Writing to a closed terminal fails; everything must still be stopped gracefully.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const missingTools = missingUploadTools()
let stack: Stack | undefined
try {
  console.log('Starting Guidon …')
  stack = await start()
  if (!stack.salesforce.resumed) {
    // Not awaited: it waits for reads of the portal.
    seedDemoCrm(stack.urls.salesforce).catch((error: unknown) => {
      if (!stopping.signal.aborted) console.error('The demo data is incomplete:', error)
    })
  }
  writeFileSync(ENV_FILE, envFile(stack.environment), { mode: 0o600 })
  console.log(startSummary({ urls: stack.urls, accounts: DEMO_ACCOUNTS, missingTools }))
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
} catch (error) {
  // Ctrl-C during the start makes parts fail to start: that is not an error.
  if (!stopping.signal.aborted) {
    process.exitCode = 1
    console.error(startErrorText(error))
  }
}
rmSync(ENV_FILE, { force: true })
await stack?.stop()
if (stopping.signal.aborted) console.log('Guidon has stopped. Its data is kept in .data/.')

async function start(): Promise<Stack> {
  const ports = devPorts(process.env)
  await checkPortsFree(ports)
  const databaseUrl = process.env['DATABASE_URL']
  if (databaseUrl !== undefined) await checkReachable(databaseUrl)
  try {
    return await startStack({
      dataDir: DATA_DIR,
      mode: 'development',
      vite: true,
      watch: true,
      durable: true,
      scanner: !missingTools.includes('clamd'),
      databaseUrl,
      ports,
      accounts: DEMO_ACCOUNTS,
      env: process.env['LOG_LEVEL'] === 'debug' ? { LOG_LEVEL: 'debug' } : {},
      stopTimeoutMs: STOP_TIMEOUT_MS,
      log: consoleLog(),
      signal: stopping.signal,
      onUnexpectedExit: stopAfterExit,
    })
  } catch (error) {
    if (error instanceof PostgresDidNotStart && error.reason === 'port-taken') {
      throw portTaken('postgres', ports.postgres)
    }
    throw error
  }
}

function envFile(environment: Stack['environment']): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join('')
}

function stopAfterExit(name: string, how: string, lastLines: string): void {
  process.exitCode = 1
  console.error(
    `\n*** ${name} ended unexpectedly (${how}). Stopping everything. ***\n${lastLines}\n`,
  )
  stopping.abort()
}
