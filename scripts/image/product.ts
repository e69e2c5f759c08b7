import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { startPostgres } from '@guidon/sandbox/postgres'
import { onImage } from '@guidon/sandbox/stack/image'
import { noLog } from '@guidon/sandbox/stack/logs'
import { startStack } from '@guidon/sandbox/stack/stack'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { seen } from './seen.ts'

const DEPLOY = resolve(import.meta.dirname, '../../deploy')
const LONGEST_MS = 60_000

type Values = Record<string, string>

/** The product from an image's root: its database and secrets are made as they are for compose. */
export async function startProduct(root: string, data: string) {
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
      timeout: LONGEST_MS,
    })
  const [inImage] = commands.program
  const command = (name: string[], values: Values) => run(inImage, [root, ...name], values)

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
  const onLoopback = (name: string) => {
    const file = join(secrets, name)
    const url = readFileSync(file, 'utf8').trim().replace('@postgres:5432', `@127.0.0.1:${port}`)
    writeFileSync(file, url)
    return url
  }
  onLoopback('database-owner-url')
  const databaseUrl = onLoopback('database-url')

  const migrating = performance.now()
  command(['migrate'], {
    PUBLIC_URL: 'https://localhost',
    ...fromFiles('DATABASE_URL', 'DATABASE_OWNER_URL', 'TOKEN_KEY', 'PASSWORD_PEPPER'),
    ...fromFiles('DATA_KEYS', 'SMTP_URL'),
  })
  const migrateSeconds = since(migrating)

  const starting = performance.now()
  // From here on the owner's password is not known, as in compose.
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
    stopTimeoutMs: LONGEST_MS,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
  await worker.start()
  parts.defer(() => worker.stop())
  const startSeconds = since(starting)

  return {
    migrateSeconds,
    startSeconds,
    processes: { serve: seen(stack.api[0]!.pid!), work: seen(worker.pid!) },
    /** The image's own check says so of each, and not where nobody listens. */
    isHealthy: async () => {
      const says = (role: string, values: Values) => {
        try {
          command(['health', role], values)
          return true
        } catch {
          return false
        }
      }
      const PORT = new URL(stack.urls.portal).port
      const closed = String(await freePort())
      return (
        says('serve', { PORT }) &&
        says('work', { METRICS_PORT: metrics }) &&
        !says('serve', { PORT: closed }) &&
        !says('work', { METRICS_PORT: closed })
      )
    },
    stop: () => parts.disposeAsync(),
  }
}

const since = (from: number) => Math.round((performance.now() - from) / 100) / 10

function fromFiles(...names: string[]): Values {
  const path = (name: string) => `/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`
  return Object.fromEntries(names.map((name) => [`${name}_FILE`, path(name)]))
}
