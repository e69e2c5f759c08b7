import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { startPostgres } from '@guidon/sandbox/postgres'
import { onImage } from '@guidon/sandbox/stack/image'
import { noLog } from '@guidon/sandbox/stack/logs'
import { startStack } from '@guidon/sandbox/stack/stack'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { privilegesOf } from './process-privileges.ts'

const DEPLOY = resolve(import.meta.dirname, '../../deploy')
const TIMEOUT_MS = 60_000

type Values = Record<string, string>

/** Starts the product from an image's root, with a database and secrets that are created as for compose. */
export async function startImageStack(root: string, data: string) {
  const parts = new AsyncDisposableStack()
  try {
    return await assemble(root, data, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function assemble(root: string, data: string, parts: AsyncDisposableStack) {
  const { commands, env } = onImage(root)
  const secrets = join(data, 'secrets')
  const run = (program: string, args: string[], values: Values) =>
    execFileSync(program, args, {
      env: { ...process.env, SECRETS_DIR: secrets, ...values },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TIMEOUT_MS,
    })
  const [imageProgram] = commands.program
  const runInImage = (args: string[], values: Values) => run(imageProgram, [root, ...args], values)

  const postgres = await startPostgres({ dataDir: join(data, 'postgres'), durable: false })
  parts.defer(() => postgres.stop())
  run(join(DEPLOY, 'make-secrets'), ['--trial'], {})
  const { password, port } = new URL(postgres.url)
  run(join(DEPLOY, 'postgres/roles.sh'), [], {
    POSTGRES_USER: 'postgres',
    PGHOST: '127.0.0.1',
    PGPORT: port,
    PGPASSWORD: password,
  })
  const useLoopback = (name: string) => {
    const file = join(secrets, name)
    const url = readFileSync(file, 'utf8').trim().replace('@postgres:5432', `@127.0.0.1:${port}`)
    writeFileSync(file, url)
    return url
  }
  useLoopback('database-owner-url')
  const databaseUrl = useLoopback('database-url')

  const migrating = performance.now()
  runInImage(['migrate'], {
    PUBLIC_URL: 'https://localhost',
    ...fileVariables('DATABASE_URL', 'DATABASE_OWNER_URL', 'TOKEN_KEY', 'PASSWORD_PEPPER'),
    ...fileVariables('DATA_KEYS', 'SMTP_URL'),
  })
  const migrateSeconds = secondsSince(migrating)

  const starting = performance.now()
  // As in compose, the processes do not get the owner's password.
  const stack = await startStack({
    dataDir: data,
    mode: 'production',
    apis: 1,
    workers: 0,
    databaseUrl,
    env,
    ...commands,
  })
  parts.defer(() => stack.stop())
  const metrics = String(await freePort())
  const worker = new StackProcess({
    name: 'work',
    program: commands.program,
    args: ['work'],
    cwd: data,
    env: { ...process.env, ...stack.environment, METRICS_PORT: metrics },
    ready: { line: '"msg":"worker ready"' },
    stopTimeoutMs: TIMEOUT_MS,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
  await worker.start()
  parts.defer(() => worker.stop())
  const startSeconds = secondsSince(starting)

  return {
    migrateSeconds,
    startSeconds,
    processes: {
      serve: privilegesOf(stack.api[0]!.pid!),
      work: privilegesOf(worker.pid!),
      checker: privilegesOf(stack.checker.process.pid!),
    },
    /** Whether the image's health check passes for both processes, and fails for closed ports. */
    isHealthCheckCorrect: async () => {
      const passes = (role: string, values: Values) => {
        try {
          runInImage(['health', role], values)
          return true
        } catch {
          return false
        }
      }
      const PORT = new URL(stack.urls.portal).port
      const closed = String(await freePort())
      return (
        passes('serve', { PORT }) &&
        passes('work', { METRICS_PORT: metrics }) &&
        !passes('serve', { PORT: closed }) &&
        !passes('work', { METRICS_PORT: closed })
      )
    },
    stop: () => parts.disposeAsync(),
  }
}

const secondsSince = (from: number) => Math.round((performance.now() - from) / 100) / 10

function fileVariables(...names: string[]): Values {
  const path = (name: string) => `/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`
  return Object.fromEntries(names.map((name) => [`${name}_FILE`, path(name)]))
}
