import { chmodSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { startBox } from '../box/box.ts'
import type { Box } from '../box/box.ts'
import { startChecker } from '../checker.ts'
import type { Checker } from '../checker.ts'
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
import { SCRIPTS } from './options.ts'
import type { StackOptions } from './options.ts'
import { productProcesses } from './product.ts'
import { sandboxEnvironment } from './sandbox-environment.ts'
import { stackSecrets } from './secrets.ts'
import type { StackProcess } from './stack-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

export interface Stack {
  urls: {
    portal: string
    api: string[]
    mailbox: string
    smtp: string
    salesforce: string
    box: string
    database: string
    /** Empty without the option `metrics`. */
    metrics: { api: string[]; workers: string[] }
  }
  /** The environment variables of the product's processes, for another process that joins them. */
  environment: Readonly<Record<string, string>>
  mailbox: Mailbox
  salesforce: Salesforce
  box: Box
  checker: Checker
  postgres: Postgres | undefined
  api: StackProcess[]
  workers: StackProcess[]
  web: StackProcess | undefined
  /** Runs a command of the admin CLI and returns what it printed. */
  admin(args: readonly string[], input?: string): Promise<string>
  stop(): Promise<void>
}

/** Starts the whole product as processes. If a part does not start, the parts before it are stopped. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const parts = new AsyncDisposableStack()
  try {
    return await startParts(options, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function startParts(options: StackOptions, parts: AsyncDisposableStack): Promise<Stack> {
  const { apis = 1, ports = {}, signal, log } = options
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true })
  // PostgreSQL may run as another user, who must be able to enter its folder below.
  chmodSync(dataDir, 0o711)
  parts.defer(() => log?.close())

  const { mailbox, salesforce, box, scanner } = await startSandboxes(options, dataDir, parts)
  const checker = await startChecker(options)
  parts.defer(() => checker.close())
  const { postgres, databaseUrl } = await openDatabase(options, join(dataDir, 'postgres'), parts)
  signal?.throwIfAborted()

  const apiPorts = await Promise.all(
    Array.from({ length: apis }, async (_, index) => (index === 0 && ports.api) || freePort()),
  )
  const apiUrls = apiPorts.map((port) => `http://127.0.0.1:${port}`)
  const portal = `http://localhost:${await portalPort(options, apiPorts, apiUrls, parts)}`

  const environment = {
    NODE_ENV: options.mode,
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    // The stack's balancer skips a stopped process at once, so a process does not wait before it stops.
    DRAIN_SECONDS: '0',
    PUBLIC_URL: portal,
    ...stackSecrets(dataDir),
    SMTP_URL: mailbox.smtpUrl,
    BOUNCE_ADDRESS: 'bounces@guidon.example',
    BOUNCE_URL: mailbox.pop3Url,
    ...sandboxEnvironment({ salesforce, box, scanner, checker }),
    UPLOAD_DIR: join(dataDir, 'uploads'),
    BRAND_DIR: process.env['BRAND_DIR'] ?? join(ROOT, 'brand'),
    WEB_DIR: options.vite ? '' : join(ROOT, 'web/dist'),
    // All clients have the same address here.
    ADDRESS_LIMIT_FACTOR: options.mode === 'development' ? '10' : '10000',
    // A developer or a test waits for it.
    CRM_SEND_SECONDS: '1',
    OPERATOR: 'sandbox',
    LOG_LEVEL: 'info',
    UV_THREADPOOL_SIZE: String(availableParallelism()),
    ...options.env,
  }
  const env: NodeJS.ProcessEnv = { ...process.env, ...environment }
  const product = await productProcesses(options, { root: ROOT, env, apiPorts, portal })
  const { api, workers, web, metricsUrls } = product
  const processes = [...api, ...workers, ...(web === undefined ? [] : [web])]
  parts.defer(async () => {
    await Promise.all(processes.map((process) => process.stop()))
  })
  const adminCommand = {
    program: options.program,
    script: options.scripts?.admin ?? SCRIPTS.admin,
    cwd: ROOT,
    env: { ...env, ...options.workerEnv, PORT: String(apiPorts[0]) },
  }
  const admin = (args: readonly string[], input?: string) =>
    runAdminCommand(adminCommand, args, input)
  await admin(['migrate'])
  signal?.throwIfAborted()
  await Promise.all(processes.map((process) => process.start(signal)))
  if (options.accounts !== undefined) {
    await admin(['create-users', '--if-missing'], JSON.stringify(options.accounts))
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
      metrics: metricsUrls,
    },
    environment,
    mailbox,
    salesforce,
    box,
    checker,
    postgres,
    api,
    workers,
    web,
    admin,
    stop: () => parts.disposeAsync(),
  }
}

async function startSandboxes(
  { ports = {}, durable, scanner = true }: StackOptions,
  dataDir: string,
  parts: AsyncDisposableStack,
) {
  const mailbox = await startMailbox({
    httpPort: ports.mailboxHttp ?? 0,
    smtpPort: ports.mailboxSmtp ?? 0,
  })
  parts.defer(() => mailbox.close())
  const salesforce = await startSalesforce({
    port: ports.salesforce ?? 0,
    ...(durable && { file: join(dataDir, 'salesforce.json') }),
  })
  parts.defer(() => salesforce.close())
  const box = await startBox({ port: ports.box ?? 0 })
  parts.defer(() => box.close())
  // This socket does not exist, so the API refuses every upload.
  if (!scanner) {
    return { mailbox, salesforce, box, scanner: { address: join(dataDir, 'no-clamd.sock') } }
  }
  const clamd = await startClamd()
  parts.defer(() => clamd.close())
  return { mailbox, salesforce, box, scanner: clamd }
}

/** The port of the URL that users open. */
async function portalPort(
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
