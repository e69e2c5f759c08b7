import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PlainProblem } from '../plain-problem.ts'
import { PostgresDidNotStart } from '../postgres/server.ts'
import { playTheProvider } from './demo-crm.ts'
import { DEMO_PEOPLE } from './demo-people.ts'
import { claimPorts, devPorts, portTaken } from './dev-ports.ts'
import { consoleLog } from './logs.ts'
import { ProcessDidNotStart } from './stack-process.ts'
import { startStack } from './stack.ts'
import type { Stack } from './stack.ts'
import { welcome } from './welcome.ts'

// A person waits at the keyboard.
const STOP_PATIENCE_MS = 3_000
const DATA_DIR = join(resolve(import.meta.dirname, '../../..'), '.data')

/** Read by `npm run admin`, so that it works on the running product without further words. */
const ENV_FILE = join(DATA_DIR, 'dev.env')

const asked = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => asked.abort())
}
// A terminal that is gone takes no more words; stopping in order matters more.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

let stack: Stack | undefined
try {
  console.log('Starting Guidon …')
  stack = await start()
  if (!stack.salesforce.resumed) await playTheProvider(stack.urls.salesforce)
  writeFileSync(ENV_FILE, envFile(stack.environment), { mode: 0o600 })
  console.log(welcome(stack.urls, DEMO_PEOPLE))
  if (!asked.signal.aborted) await once(asked.signal, 'abort')
} catch (error) {
  // Asked to stop in the middle of starting: what then failed to start is no failure.
  if (!asked.signal.aborted) complain(error)
}
rmSync(ENV_FILE, { force: true })
await stack?.stop()
if (asked.signal.aborted) console.log('Guidon has stopped. Its data is kept in .data/.')

async function start(): Promise<Stack> {
  const ports = devPorts(process.env)
  await claimPorts(ports)
  try {
    return await startStack({
      dataDir: DATA_DIR,
      mode: 'development',
      vite: true,
      watch: true,
      durable: true,
      databaseUrl: process.env['DATABASE_URL'],
      ports,
      people: DEMO_PEOPLE,
      env: process.env['LOG_LEVEL'] === 'debug' ? { LOG_LEVEL: 'debug' } : {},
      patienceMs: STOP_PATIENCE_MS,
      log: consoleLog(),
      signal: asked.signal,
      onDeath: reportDeath,
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

function complain(error: unknown): void {
  process.exitCode = 1
  if (error instanceof PlainProblem) console.error(error.message)
  // Its last lines are on the screen already.
  else if (error instanceof ProcessDidNotStart) console.error(`\n*** ${error.summary}. ***`)
  else console.error(error)
}

function reportDeath(name: string, how: string, lastLines: string): void {
  process.exitCode = 1
  console.error(
    `\n*** ${name} ended unexpectedly (${how}). Stopping everything. ***\n${lastLines}\n`,
  )
  asked.abort()
}
