import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getIntake } from '@guidon/contract/intake'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { freePort } from '@guidon/sandbox/free-port'
import { startStack } from '@guidon/sandbox/stack/stack'
import type { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { expect, it, vi } from 'vitest'
import { openDatabase, openPool } from '../../../api/src/db/database.ts'
import { migrate } from '../../../api/src/db/migrate.ts'
import { variables } from '../../../api/src/main/config/variables.ts'
import { connected } from '../../support/databases.ts'
import { startHaproxy } from '../../support/haproxy.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { Traffic } from '../../support/traffic.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly } from '../size.ts'

const ROUNDS = 4
const VETERANS = Array.from({ length: 6 }, () => newAccount())

/** Runs a migration as the next release would before its processes start. */
async function migrateToNextRelease(url: string, parts: AsyncDisposableStack): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-next-'))
  parts.defer(() => rmSync(folder, { recursive: true }))
  cpSync(resolve(import.meta.dirname, '../../../api/migrations'), folder, { recursive: true })
  const tables = ['users', 'sessions', 'intakes', 'uploads', 'documents']
  const next = tables.map((table) => `alter table ${table} add column of_the_next_release text;`)
  writeFileSync(join(folder, '9999_next.sql'), next.join('\n'))
  const options = { url, size: 1, statementTimeoutMs: 0, asOwner: true, onIdleError: () => {} }
  const pool = openPool(options)
  parts.defer(() => pool.end())
  return migrate(openDatabase(pool), folder)
}

/** The product behind the shipped HAProxy configuration, with the default drain time. */
async function startProduct(parts: AsyncDisposableStack) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-rolling-'))
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const portal = `https://localhost:${port}`
  const stack = await startStack({
    dataDir,
    mode: 'production',
    apis: 2,
    workers: 1,
    accounts: VETERANS,
    stopTimeoutMs: 60_000,
    env: {
      PUBLIC_URL: portal,
      WEB_DIR: '',
      CRM_POLL_SECONDS: '3600',
      ...NO_UPLOAD_QUOTA,
      DRAIN_SECONDS: String(variables.DRAIN_SECONDS.parse(undefined)),
    },
  })
  parts.defer(() => stack.stop())
  const haproxy = await startHaproxy(port, stack.urls.api)
  parts.defer(() => haproxy.close())
  await haproxy.waitUntilUp(2)
  return { stack, haproxy, portal }
}

it('every process can be restarted without a failed request', fullSizeOnly, async () => {
  await using parts = new AsyncDisposableStack()
  const { stack, haproxy, portal } = await startProduct(parts)
  const sql = await connected(stack.urls.database)
  parts.defer(() => sql.end())
  const traffic = new Traffic({
    base: portal,
    origin: portal,
    mailbox: stack.urls.mailbox,
    bytesPerFile: 3_000_000,
  })
  await traffic.start(VETERANS.map(({ email }) => email))

  const seconds: Record<string, number[]> = {}
  const restart = async (process: StackProcess) => {
    const started = performance.now()
    await process.restart()
    await haproxy.waitUntilUp(2)
    const tookSeconds = (performance.now() - started) / 1000
    ;(seconds[process.name] ??= []).push(Math.round(tookSeconds * 10) / 10)
  }
  expect(await migrateToNextRelease(stack.urls.database, parts)).toHaveLength(1)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const process of [...stack.workers, ...stack.api]) await restart(process)
  }
  await traffic.end()

  const { uploads, cities, signIns } = traffic.acknowledged
  await vi.waitUntil(
    async () => (await sql.query('select from uploads where stored_at is null')).rowCount === 0,
    { timeout: 300_000, interval: 500 },
  )
  const stored = await new BoxSandboxClient(stack.urls.box).files()
  const lost = [...uploads].filter(
    ([name, sha256]) => !stored.some((file) => file.name === name && file.sha256 === sha256),
  )
  const staleCities: string[] = []
  for (const [email, city] of cities) {
    const { body } = await (await traffic.signIn(email)).call(getIntake, {})
    if (body.data.city !== city) staleCities.push(`${body.data.city}, not ${city}`)
  }
  figures('restarted behind haproxy', {
    restarts: ROUNDS * (stack.api.length + stack.workers.length),
    requests: traffic.requests,
    failed: traffic.failures.length,
    uploads: uploads.size,
    'sign-ins': signIns,
    'acknowledged and lost': lost.length + staleCities.length,
    'slowest response ms': Math.round(traffic.slowestMs),
    'seconds per restart': JSON.stringify(seconds),
  })
  headline.sum({
    restarts: ROUNDS * (stack.api.length + stack.workers.length),
    requests: traffic.requests,
    failed: traffic.failures.length,
    lost: lost.length + staleCities.length,
  })
  expect(traffic.failures).toEqual([])
  expect([...lost, ...staleCities]).toEqual([])
  expect(uploads.size).toBeGreaterThan(ROUNDS)
  expect(signIns).toBeGreaterThan(ROUNDS)
})
