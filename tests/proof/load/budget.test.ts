import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  NOTICES_ON_A_DAY,
  UPLOAD_GIGABYTES_A_DAY,
  UPLOAD_TRIES_A_FILE,
} from '@guidon/contract/limits'
import { freePort } from '@guidon/sandbox/free-port'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { startHaproxy } from '../../support/haproxy.ts'
import { newAccount } from '../../support/outside/account.ts'
import { startHelper } from '../../support/outside/helper-process.ts'
import { percentile } from '../../support/outside/statistics.ts'
import { cookieOf } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { isFullSize, smallOrFull, timeLimit } from '../size.ts'
import type { WriteMessage, Written } from './attacks/write-much.ts'
import { checkOut } from './check-out.ts'
import { startProduct } from './product.ts'
import type { Product } from './product.ts'
import { RegularClients } from './regular-clients.ts'

const KINDS = ['tiny parts', 'created and deleted', 'switches'] as const
type Kind = (typeof KINDS)[number]

/** One account at a time, one third of a minute each; then the three together beside others, for a minute. */
const EACH_MS = smallOrFull(3_000, 20_000)
const TOGETHER_MS = smallOrFull(4_000, 60_000)
const WAL_BYTES_A_BYTE = 4
/** Rows of uploads and of the audit log, which need no bodies: limited by a day's number, not by bytes. */
const WAL_OF_ROWS = 1024 * 1024
const CREATED_A_DAY = Math.ceil((UPLOAD_GIGABYTES_A_DAY * UPLOAD_TRIES_A_FILE * 1024) / 100)
const CLIENTS = 6
const MAX_P99_MS = timeLimit(500)
const ATTACKER_NICE = smallOrFull(5, 19)
const SILENT = smallOrFull(1_200, 5_000)
const MEGABYTE = 1024 * 1024

async function attackerOn(
  { urls, admin }: Product,
  stack: ConstructorParameters<typeof RegularClients>[0],
) {
  const account = newAccount()
  await admin(['create-users'], JSON.stringify([account]))
  const client = await new RegularClients(stack).signIn(account.email)
  const target = { base: urls.api[0]!, origin: urls.portal, cookie: cookieOf(client) }
  return async (kind: Kind, durationMs: number) => {
    const program = startHelper<WriteMessage, Written>(
      new URL('attacks/write-much.ts', import.meta.url),
    )
    setPriority(program.pid, ATTACKER_NICE)
    const written = await program.run({ kind, target, durationMs })
    program.stop()
    return written
  }
}

/** What the database wrote meanwhile, without what it writes in the same time while nobody uses the portal. */
async function walOf<T>({ urls }: Product, work: () => Promise<T>) {
  const client = new Client({ connectionString: urls.database })
  await client.connect()
  const written = async (run: () => Promise<unknown>) => {
    const position = `select pg_current_wal_insert_lsn()::text as at`
    const { rows } = await client.query<{ at: string }>(position)
    const began = performance.now()
    await run()
    const since = await client.query<{ bytes: string }>(
      'select pg_current_wal_insert_lsn() - $1::pg_lsn as bytes',
      [rows[0]!.at],
    )
    return { bytes: Number(since.rows[0]!.bytes), ms: performance.now() - began }
  }
  try {
    let result: T
    const idle = await written(() => delay(EACH_MS / 2))
    const busy = await written(async () => (result = await work()))
    return { result: result!, wal: Math.max(0, busy.bytes - (idle.bytes / idle.ms) * busy.ms) }
  } finally {
    await client.end()
  }
}

const inStack = ({ urls }: Product) => ({
  base: urls.api[0]!,
  origin: urls.portal,
  mailbox: urls.mailbox,
})

async function measureWrites(product: Product, kind: Kind) {
  const attack = await attackerOn(product, inStack(product))
  const { result, wal } = await walOf(product, () => attack(kind, EACH_MS))
  return { ...result, wal }
}

function report(title: string, { bytes, wal, accepted, statuses }: Written & { wal: number }) {
  figures(title, {
    seconds: EACH_MS / 1_000,
    'MB received': (bytes / MEGABYTE).toFixed(2),
    'MB of WAL': (wal / MEGABYTE).toFixed(2),
    'WAL bytes a byte received': (wal / bytes).toFixed(1),
    accepted: JSON.stringify(accepted).replaceAll('"', ''),
    responses: JSON.stringify(statuses).replaceAll('"', ''),
  })
}

/** Without kinds, nobody attacks: how busy the machine is with other work. */
async function measureOthers(product: Product, kinds: readonly Kind[]) {
  const others = Array.from({ length: CLIENTS }, () => newAccount())
  await product.admin(['create-users'], JSON.stringify(others))
  const attack = await attackerOn(product, inStack(product))
  const clients = new RegularClients(inStack(product))
  await clients.during(
    () => Promise.all([delay(TOGETHER_MS), ...kinds.map((kind) => attack(kind, TOGETHER_MS))]),
    others.map(({ email }) => email),
  )
  return {
    requests: clients.ms.length,
    'p99 ms': Math.round(percentile(clients.ms, 0.99)),
    failures: clients.failures.length,
    'readiness lost': clients.notReady,
  }
}

describe('while one account writes as much as it can', async () => {
  const parts = new AsyncDisposableStack()
  afterAll(() => parts.disposeAsync())
  const product = await startProduct(parts)

  it.each(KINDS)('%s: the database writes little more than it receives', async (kind) => {
    const written = await measureWrites(product, kind)
    report(kind, written)
    const { bytes, wal, accepted } = written
    if (kind === 'tiny parts')
      headline.max({ 'WAL bytes a byte received': Number((wal / bytes).toFixed(1)) })
    expect(wal).toBeLessThan(WAL_BYTES_A_BYTE * bytes + WAL_OF_ROWS)
    expect(accepted['created'] ?? 0).toBeLessThanOrEqual(CREATED_A_DAY)
    // Turning off is never refused, but needs to be turned on before.
    expect(accepted['switches'] ?? 0).toBeGreaterThanOrEqual(kind === 'switches' ? 1 : 0)
    expect(await auditedSwitches(product)).toBeLessThanOrEqual(2 * NOTICES_ON_A_DAY + 1)
  })

  it('others are served as usual', async () => {
    figures('others without an attack', await measureOthers(product, []))
    const measured = await measureOthers(product, KINDS)
    figures('others', measured)
    headline.max({ 'client p99 ms': measured['p99 ms'] })
    expect(measured).toMatchObject({ failures: 0, 'readiness lost': 0 })
    expect(measured['p99 ms']).toBeLessThan(MAX_P99_MS)
  })
})

/** Of the account with most of them. */
async function auditedSwitches({ urls }: Product): Promise<number> {
  const client = new Client({ connectionString: urls.database })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from audit_events where event = 'notices_changed'
     group by subject_id order by count desc limit 1`,
  )
  await client.end()
  return rows[0]?.count ?? 0
}

/** Others come from another address of the loopback network. */
async function timeOf(port: number): Promise<number> {
  const began = performance.now()
  const to = { host: '127.0.0.1', port, localAddress: '127.0.0.2', rejectUnauthorized: false }
  const sent = request({ ...to, agent: false, timeout: 3_000 })
  sent.once('timeout', () => sent.destroy(new Error('no response'))).end()
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }]
  response.resume()
  if (response.statusCode !== 200) throw new Error(`the status is ${response.statusCode}`)
  return performance.now() - began
}

/** Opens connections that send nothing, from one address. */
async function measureSilence(configuration?: string) {
  await using parts = new AsyncDisposableStack()
  const apis = [
    createServer((_, response) => response.end()),
    createServer((_, response) => response.end()),
  ]
  for (const api of apis) {
    await once(api.listen(0, '127.0.0.1'), 'listening')
    parts.defer(() => api.close().closeAllConnections())
  }
  const port = await freePort()
  const haproxy = await startHaproxy(
    port,
    apis.map((api) => `http://127.0.0.1:${(api.address() as AddressInfo).port}`),
    { limits: 'shipped', ...(isFullSize && { maxConnections: 5_000 }), configuration },
  )
  parts.defer(() => haproxy.close())
  await haproxy.waitUntilUp(2)
  const silent: Socket[] = []
  parts.defer(() => silent.forEach((socket) => socket.destroy()))
  let closed = 0
  for (let count = 0; count < SILENT; count += 1) {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    socket.once('close', () => (closed += 1))
    silent.push(socket)
    if (count % 100 === 99) await delay(20)
  }
  await delay(500)
  const times: (number | undefined)[] = []
  const isStopped = () => times.filter((time) => time === undefined).length === 5
  for (let count = 0; count < smallOrFull(20, 200) && !isStopped(); count += 1)
    times.push(await timeOf(port).catch(() => undefined))
  const ms = times.filter((time) => time !== undefined)
  return {
    silent: SILENT,
    'closed at once': closed,
    'responses to others': ms.length,
    'failures of others': times.length - ms.length,
    'p99 ms': ms.length > 0 ? Math.round(percentile(ms, 0.99)) : NaN,
  }
}

it('thousands of silent connections from one address do not stop others', async () => {
  const measured = await measureSilence()
  figures('silent connections', measured)
  headline.max({ 'silent connections': SILENT, 'p99 ms beside them': measured['p99 ms'] })
  expect(measured['failures of others']).toBe(0)
  expect(measured['p99 ms']).toBeLessThan(MAX_P99_MS)
})

const control = inject('control')

/** Only prints what an earlier revision does. */
describe.skipIf(control === '')('on the control revision', () => {
  const parts = new AsyncDisposableStack()
  afterAll(() => parts.disposeAsync())

  it('one account writes as much as it can', async () => {
    const product = await startProduct(parts, checkOut(control, parts))
    for (const kind of KINDS) report(`${kind}, on ${control}`, await measureWrites(product, kind))
    figures(`others, on ${control}`, await measureOthers(product, KINDS))
    expect(await auditedSwitches(product)).toBeGreaterThan(0)
  })

  it('silent connections from one address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guidon-control-'))
    parts.defer(() => rmSync(folder, { recursive: true }))
    const configuration = join(folder, 'haproxy.cfg')
    const cwd = resolve(import.meta.dirname, '../../..')
    writeFileSync(
      configuration,
      execFileSync('git', ['show', `${control}:deploy/haproxy.cfg`], { cwd }),
    )
    figures(`silent connections, on ${control}`, await measureSilence(configuration))
    expect(SILENT).toBeGreaterThan(0)
  })
})
