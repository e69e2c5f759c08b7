import { checkAuth, login } from '@guidon/contract/auth'
import { forgotPassword } from '@guidon/contract/password'
import { boot } from '@guidon/tests/boot'
import { startDatabaseProxy } from '@guidon/tests/database-proxy'
import { runOnCluster } from '@guidon/tests/databases'
import { mailbox } from '@guidon/tests/mailbox'
import { describe, expect, inject, it, vi } from 'vitest'
import { createLog } from '../platform/log.ts'
import { waitForPrimary } from './wait-for-primary.ts'

const nameOf = (url: string) => new URL(url).pathname.slice(1)
/** New connections cannot write, like those to a standby. Open ones stay as they are. */
const setReadOnly = (url: string, on: boolean) =>
  runOnCluster(
    `alter database ${nameOf(url)} ${on ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
  )
const endConnections = (url: string) =>
  runOnCluster(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1`,
    [nameOf(url)],
  )

const waitOptions = { timeout: 60_000, interval: 100 }

// Not with PgBouncer, which restores the default that each client had: tests/proof/faults/failover.test.ts uses a real standby.
describe.skipIf(inject('poolerUrl') !== '')('while the database is read-only', () => {
  it('an API is not ready and says why, responds 503, and recovers with new connections', async () => {
    const testApp = await boot({ worker: false })
    const url = testApp.config.DATABASE_URL
    await testApp.sql.end()
    const client = testApp.newClient()
    const body = { email: 'james@example.com', password: 'Harbor-Lantern-42!' }
    const statusOf = async (path: string) => (await client.send('GET', path)).status
    expect(await client.call(login, { body })).toMatchObject({ status: 400 })

    await setReadOnly(url, true)
    await endConnections(url)
    const reason = 'the database is read-only: a standby, or a former primary'
    await vi.waitUntil(
      async () => (await statusOf('/readyz')) === 503 && testApp.logged().includes(reason),
      waitOptions,
    )
    const refused = await client.call(login, { body })
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })

    // The connections that are open now stay read-only for as long as they live.
    await setReadOnly(url, false)
    await vi.waitUntil(async () => (await statusOf('/readyz')) === 200, waitOptions)
    await vi.waitUntil(async () => (await client.call(login, { body })).status === 400, waitOptions)
  })
})

describe('after the database was read-only', () => {
  it('a worker continues with its jobs, because its queues get new connections', async () => {
    const testApp = await boot()
    const url = testApp.config.DATABASE_URL
    const { email } = await testApp.account()
    await testApp.sql.end()
    await setReadOnly(url, true)
    await endConnections(url)
    await vi.waitUntil(
      () => /"jobs: queue error".*25006|25006.*"jobs: queue error"/.test(testApp.logged()),
      {
        ...waitOptions,
        timeout: 60_000,
      },
    )
    await setReadOnly(url, false)
    await vi.waitUntil(
      async () =>
        (await testApp.newClient().call(forgotPassword, { body: { email } })).status === 202,
      waitOptions,
    )
    const [mail] = await mailbox.mailsTo(email, { subject: 'Reset your Guidon password' })
    expect(mail).toBeDefined()
  })
})

describe('without a database', () => {
  it('an API responds 503 with a retry time, and continues when it is back', async () => {
    const direct = await boot({ worker: false })
    const proxy = await startDatabaseProxy(direct.config.DATABASE_URL)
    const { newClient } = await boot({
      worker: false,
      database: direct.config.DATABASE_URL,
      environment: { DATABASE_URL: proxy.url },
    })
    const client = newClient()
    client.cookies.set('guidon-access', 'A'.repeat(43))
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })
    await proxy.down()
    const refused = await client.call(checkAuth, {})
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    await proxy.up()
    await vi.waitUntil(async () => (await client.call(checkAuth, {})).status === 401, waitOptions)
  })

  it('a worker keeps running, and continues with its jobs when it is back', async () => {
    const direct = await boot({ worker: false })
    const proxy = await startDatabaseProxy(direct.config.DATABASE_URL)
    const { logged } = await boot({
      database: direct.config.DATABASE_URL,
      environment: { DATABASE_URL: proxy.url },
    })
    const { email } = await direct.account()
    await proxy.down()
    await direct.newClient().call(forgotPassword, { body: { email } })
    await vi.waitUntil(() => logged().includes('jobs: queue error'), waitOptions)
    await proxy.up()
    const [mail] = await mailbox.mailsTo(email, { subject: 'Reset your Guidon password' })
    expect(mail).toBeDefined()
  })

  it('a process that starts waits for a primary, for a limited time', async () => {
    const { config } = await boot({ worker: false })
    const proxy = await startDatabaseProxy(config.DATABASE_URL)
    const lines: string[] = []
    const log = createLog('warn', 'test', { write: (line) => void lines.push(line) })
    const wait = (seconds: number) =>
      waitForPrimary({ DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: seconds }, log)
    await proxy.down()
    await expect(wait(0)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const waiting = wait(60)
    await vi.waitUntil(
      () => lines.join('').includes('database: waiting for a primary'),
      waitOptions,
    )
    await proxy.up()
    await waiting

    await setReadOnly(config.DATABASE_URL, true)
    await expect(wait(0)).rejects.toThrow('PostgreSQL is read-only')
    await setReadOnly(config.DATABASE_URL, false)
    await wait(0)
  })
})
