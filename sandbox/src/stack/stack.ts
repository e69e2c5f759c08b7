import { chmodSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { startBox } from '../box/box.ts'
import type { Box } from '../box/box.ts'
import { startClamd } from '../clamd.ts'
import { freePort } from '../free-port.ts'
import { startMailbox } from '../mailbox/mailbox.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { Postgres } from '../postgres.ts'
import { startSalesforce } from '../salesforce/salesforce.ts'
import type { Salesforce } from '../salesforce/salesforce.ts'
import { runAdminCommand } from './admin-command.ts'
import { startBalancer } from './balancer.ts'
import { openDatabase } from './database.ts'
import type { Person } from './demo-people.ts'
import { noLog } from './logs.ts'
import type { Log } from './logs.ts'
import { providerEnvironment } from './provider.ts'
import { stackSecrets } from './secrets.ts'
import { StackProcess } from './stack-process.ts'
import type { ProcessPlan, Program } from './stack-process.ts'

const STOP_PATIENCE_MS = 10_000
const ROOT = resolve(import.meta.dirname, '../../..')

export interface StackPorts {
  /** Of the first API; the others take free ones. */
  api?: number
  web?: number
  balancer?: number
  mailboxHttp?: number
  mailboxSmtp?: number
  postgres?: number
  salesforce?: number
  box?: number
}

export interface StackOptions {
  /** Holds the database and the keys; a second start there goes on where the first ended. */
  dataDir: string
  mode: 'development' | 'test' | 'production'
  apis?: number
  workers?: number
  /** Vite serves the screens, instead of the API its built ones. */
  vite?: boolean
  balancer?: boolean
  /** Restart API and workers when their code changes. */
  watch?: boolean
  ports?: StackPorts
  /** An existing database; without it the stack brings its own PostgreSQL. */
  databaseUrl?: string | undefined
  /** Whether data must survive a crash of the machine. */
  durable?: boolean
  /** Each process tells Prometheus its figures, on a port of its own. */
  metrics?: boolean
  people?: readonly Person[]
  /** Further variables for API, workers and admin commands. */
  env?: Record<string, string>
  /** How long a process may take to end when asked, before it is killed. */
  patienceMs?: number
  log?: Log
  signal?: AbortSignal
  /** Told when a part ends that nobody asked to end. */
  onDeath?: (name: string, how: string, lastLines: string) => void
  /** What runs the scripts of the product, instead of this `node`. */
  program?: Program | undefined
  /** What it runs, from the root of the repository. */
  scripts?: Partial<typeof SCRIPTS>
}

/** For young objects, as the product's own start commands have it: memory stays flat. */
const LITTLE_ROOM = '--max-semi-space-size=16'

const SCRIPTS = {
  serve: 'api/src/main/serve.ts',
  work: 'api/src/main/work.ts',
  admin: 'api/src/main/admin-cli.ts',
}

export interface Stack {
  urls: {
    portal: string
    api: string[]
    mailbox: string
    smtp: string
    salesforce: string
    box: string
    database: string
    /** Where figures are fetched, if they are. */
    metrics: { api: string[]; workers: string[] }
  }
  /** What the processes of the product were given, so that another can join them. */
  environment: Readonly<Record<string, string>>
  mailbox: Mailbox
  salesforce: Salesforce
  box: Box
  postgres: Postgres | undefined
  api: StackProcess[]
  workers: StackProcess[]
  web: StackProcess | undefined
  /** Runs a command of the API's command line tool; answers what it printed. */
  admin(args: readonly string[], input?: string): Promise<string>
  stop(): Promise<void>
}

/** The whole product as processes. What was started is stopped again if any part does not start. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const parts = new AsyncDisposableStack()
  try {
    return await assemble(options, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function assemble(options: StackOptions, parts: AsyncDisposableStack): Promise<Stack> {
  const { apis = 1, workers = 1, ports = {}, signal, log = noLog(), onDeath = () => {} } = options
  const { patienceMs = STOP_PATIENCE_MS, program } = options
  const scripts = { ...SCRIPTS, ...options.scripts }
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true })
  // The database's own user, if it has one, passes through to its folder below.
  chmodSync(dataDir, 0o711)
  parts.defer(() => log.close())

  const mailbox = await startMailbox({
    httpPort: ports.mailboxHttp ?? 0,
    smtpPort: ports.mailboxSmtp ?? 0,
  })
  parts.defer(() => mailbox.close())
  const salesforce = await startSalesforce({
    port: ports.salesforce ?? 0,
    ...(options.durable && { file: join(dataDir, 'salesforce.json') }),
  })
  parts.defer(() => salesforce.close())
  const box = await startBox({ port: ports.box ?? 0 })
  parts.defer(() => box.close())
  const scanner = await startClamd()
  parts.defer(() => scanner.close())
  const { postgres, databaseUrl } = await openDatabase(options, join(dataDir, 'postgres'), parts)
  signal?.throwIfAborted()

  const apiPorts = await Promise.all(
    Array.from({ length: apis }, async (_, index) => (index === 0 && ports.api) || freePort()),
  )
  const apiUrls = apiPorts.map((port) => `http://127.0.0.1:${port}`)
  const publicPort = await frontDoor(options, apiPorts, apiUrls, parts)
  const portal = `http://localhost:${publicPort}`

  const environment = {
    NODE_ENV: options.mode,
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    // Nobody waits here for a balancer to notice.
    DRAIN_SECONDS: '0',
    PUBLIC_URL: portal,
    ...stackSecrets(dataDir),
    SMTP_URL: mailbox.smtpUrl,
    ...providerEnvironment({ salesforce, box, scanner }),
    UPLOAD_DIR: join(dataDir, 'uploads'),
    BRAND_DIR: process.env['BRAND_DIR'] ?? join(ROOT, 'brand'),
    WEB_DIR: options.vite ? '' : join(ROOT, 'web/dist'),
    // Everyone here comes from one address.
    ADDRESS_LIMIT_FACTOR: options.mode === 'development' ? '10' : '10000',
    LOG_LEVEL: 'info',
    UV_THREADPOOL_SIZE: String(availableParallelism()),
    ...options.env,
  }
  const env: NodeJS.ProcessEnv = { ...process.env, ...environment }
  const launch = (
    plan: Omit<ProcessPlan, 'log' | 'onDeath' | 'cwd' | 'patienceMs'> & { cwd?: string },
  ) => {
    const report = (process: StackProcess, how: string) =>
      onDeath(process.name, how, process.lastLines)
    return new StackProcess({ cwd: ROOT, ...plan, patienceMs, log, onDeath: report })
  }
  const figures = async (processes: number) =>
    options.metrics ? Promise.all(Array.from({ length: processes }, () => freePort())) : []
  const metrics = { api: await figures(apis), workers: await figures(workers) }
  const figuresAt = (port: number | undefined) =>
    port === undefined ? {} : { METRICS_HOST: '127.0.0.1', METRICS_PORT: String(port) }
  const watch = options.watch ? ['--watch', '--watch-preserve-output'] : []
  // An image brings its own start commands.
  const flags = options.program ? [] : [LITTLE_ROOM, ...watch]
  const api = apiPorts.map((port, index) =>
    launch({
      name: apis === 1 ? 'api' : `api-${index + 1}`,
      program,
      args: [...flags, scripts.serve],
      env: { ...env, PORT: String(port), ...figuresAt(metrics.api[index]) },
      ready: { url: `${apiUrls[index]}/readyz` },
    }),
  )
  const work = Array.from({ length: workers }, (_, index) =>
    launch({
      name: workers === 1 ? 'worker' : `worker-${index + 1}`,
      program,
      args: [...flags, scripts.work],
      env: { ...env, ...figuresAt(metrics.workers[index]) },
      ready: { line: '"msg":"worker ready"' },
    }),
  )
  const web = !options.vite
    ? undefined
    : launch({
        name: 'web',
        args: [join(ROOT, 'node_modules/vite/bin/vite.js')],
        cwd: join(ROOT, 'web'),
        env: { ...process.env, WEB_PORT: String(publicPort), API_URL: apiUrls[0] },
        ready: { url: portal },
      })
  const processes = [...api, ...work, ...(web === undefined ? [] : [web])]
  parts.defer(async () => {
    await Promise.all(processes.map((process) => process.stop()))
  })
  await Promise.all(processes.map((process) => process.start(signal)))

  const place = {
    program,
    script: scripts.admin,
    cwd: ROOT,
    env: { ...env, PORT: String(apiPorts[0]) },
  }
  const admin = (args: readonly string[], input?: string) => runAdminCommand(place, args, input)
  if (options.people !== undefined) {
    await admin(['create-users', '--if-missing'], JSON.stringify(options.people))
  }
  signal?.throwIfAborted()

  return {
    urls: {
      portal,
      api: apiUrls,
      mailbox: mailbox.url,
      smtp: mailbox.smtpUrl,
      salesforce: salesforce.url,
      box: box.url,
      database: databaseUrl,
      metrics: { api: metrics.api.map(figuresUrl), workers: metrics.workers.map(figuresUrl) },
    },
    environment,
    mailbox,
    salesforce,
    box,
    postgres,
    api,
    workers: work,
    web,
    admin,
    stop: () => parts.disposeAsync(),
  }
}

const figuresUrl = (port: number) => `http://127.0.0.1:${port}/metrics`

/** The port of the origin that people open. */
async function frontDoor(
  { vite, balancer, ports = {} }: StackOptions,
  apiPorts: readonly number[],
  apiUrls: readonly string[],
  parts: AsyncDisposableStack,
): Promise<number> {
  if (vite) return ports.web ?? freePort()
  if (!balancer) return apiPorts[0]!
  const started = await startBalancer({ port: ports.balancer ?? 0, backends: apiUrls })
  parts.defer(() => started.close())
  return started.port
}
