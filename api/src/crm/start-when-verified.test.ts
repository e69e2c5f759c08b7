import { boot } from '@guidon/tests/boot'
import { salesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import { databaseAt } from '@guidon/tests/databases'
import { newOrg } from '@guidon/tests/org'
import { newMetricsAddress, scrape, valueOf } from '@guidon/tests/scrape'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '../platform/log.ts'
import { reconcile } from './mirror/reconcile.ts'
import { startWhenVerified } from './start-when-verified.ts'

const FIELD = 'Contact.Box_Folder_Id__c'
const PROBLEM =
  "Contact has no field Box_Folder_Id__c (contact.boxFolderId), or the portal's user may not see it"

it('a worker starts without a field of the CRM: codes are mailed, nothing is sent, and it continues when the field is there', async () => {
  const org = await newOrg()
  await org.hide([FIELD])
  const metrics = await newMetricsAddress()
  const testApp = await boot({
    worker: false,
    environment: { ...org.environment, CRM_CHECK_SECONDS: '1', CRM_POLL_SECONDS: '1' },
    workerEnvironment: { ...metrics, METRICS_PORT: String(metrics.METRICS_PORT) },
  })
  await testApp.startWorker()
  const status = () => testApp.admin.crm.status()
  const { userId } = await testApp.signedUp()
  await testApp.send(reconcile, null)
  await expect
    .poll(async () => (await status()).check)
    .toMatchObject({ state: 'stopped', problems: [PROBLEM] })
  expect(valueOf(await scrape(metrics.METRICS_PORT), 'guidon_crm_stopped')).toBe(1)
  expect(
    valueOf(await scrape(metrics.METRICS_PORT), 'guidon_crm_calls_total', { purpose: 'check' }),
  ).toBeGreaterThanOrEqual(7)
  expect(testApp.logged()).toContain('crm: stopped, the CRM lacks what the portal uses')
  const { since } = (await status()).check!
  const checkedAt = await lastCheckedAt(testApp.sql)
  await expect.poll(() => lastCheckedAt(testApp.sql)).not.toBe(checkedAt)
  expect((await status()).check!.since).toEqual(since)
  const crmJobStates = async () => {
    const { rows } = await testApp.sql.query<{ state: string }>(
      `select distinct state::text from pgboss.job where name like 'crm.%'`,
    )
    return rows.map(({ state }) => state)
  }
  expect(await crmJobStates()).toEqual(['created'])
  const { calls } = await org.stats()
  expect({ ...calls, describe: 0, token: 0 }).toEqual(
    Object.fromEntries(Object.keys(calls).map((kind) => [kind, 0])),
  )

  await org.hide([])
  expect(await org.rows('Contact', { Portal_User_Id__c: userId })).toHaveLength(1)
  await expect.poll(async () => (await status()).check).toMatchObject({ state: 'fits' })
  await expect.poll(crmJobStates).toEqual(['completed'])
  expect(valueOf(await scrape(metrics.METRICS_PORT), 'guidon_crm_stopped')).toBe(0)
})

it('a worker starts while the CRM is unreachable, and uses it once it responds', async () => {
  const org = await newOrg()
  await org.fault({ mode: 'down' })
  const testApp = await boot({
    environment: { ...org.environment, CRM_CHECK_SECONDS: '1', CRM_POLL_SECONDS: '1' },
  })
  const { userId } = await testApp.signedUp()
  await expect
    .poll(async () => (await testApp.admin.crm.status()).check)
    .toMatchObject({ state: 'unreachable' })
  await org.fault({ mode: 'none' })
  expect(await org.rows('Contact', { Portal_User_Id__c: userId })).toHaveLength(1)
})

it('the CRM part stops when the org loses a field, and starts again when it is back', async () => {
  const testApp = await boot({ worker: false })
  const setup = await salesforceSetup()
  let running = false
  const verified = startWhenVerified({
    db: databaseAt(testApp.config.DATABASE_URL, 1),
    crm: setup.crm,
    everySeconds: 0.01,
    onVerified: async () => {},
    log: createLog('silent', 'test'),
    starters: [
      () => {
        running = true
        return async () => void (running = false)
      },
    ],
  })
  onTestFinished(async () => {
    await verified.stop()
    await setup.close()
  })
  await expect.poll(() => running).toBe(true)
  await setup.control.hide([FIELD])
  await expect.poll(() => running).toBe(false)
  expect(verified.isStopped()).toBe(true)
  await setup.control.hide([])
  await expect.poll(() => running).toBe(true)
  await setup.outage('500')
  await verified.stop()
  expect(running).toBe(false)
})

it('an object that the org loses is left out soon, not at the next regular check', async () => {
  const org = await newOrg()
  const testApp = await boot({
    environment: { ...org.environment, CRM_CHECK_SECONDS: '1', CRM_POLL_SECONDS: '1' },
  })
  const claims = async () =>
    (await testApp.admin.crm.status()).mirror.filter(({ kind }) => kind === 'claim').length
  await expect.poll(claims).toBe(1)
  await org.hide(['Claim__c'])
  await expect.poll(claims).toBe(0)
})

it('a worker whose fields are not the stored ones checks again soon', async () => {
  const org = await newOrg()
  const testApp = await boot({
    environment: { ...org.environment, CRM_CHECK_SECONDS: '1', CRM_POLL_SECONDS: '1' },
  })
  const others = async () =>
    (await testApp.sql.query(`select from crm_sync_cursor where fields = '{other}'`)).rowCount
  const unread = async () =>
    (await testApp.sql.query('select from crm_sync_cursor where completed_at is null')).rowCount
  await expect.poll(unread).toBe(0)
  await testApp.sql.query(`update crm_sync_cursor set fields = '{other}' where kind = 'contact'`)
  await expect.poll(others).toBe(0)
})

it('a check is repeated soon if its result could not be stored, and when it is requested', async () => {
  const testApp = await boot({ worker: false })
  const setup = await salesforceSetup()
  let calls = 0
  const verified = startWhenVerified({
    db: databaseAt(testApp.config.DATABASE_URL, 1),
    crm: setup.crm,
    everySeconds: 1,
    onVerified: async () => {
      calls += 1
      if (calls === 2) throw new Error('the database is unreachable')
    },
    log: createLog('silent', 'test'),
    starters: [() => async () => {}],
  })
  onTestFinished(async () => {
    await verified.stop()
    await setup.close()
  })
  await expect.poll(() => calls).toBe(1)
  verified.checkSoon()
  await expect.poll(() => calls).toBe(3)
})

async function lastCheckedAt(sql: Awaited<ReturnType<typeof boot>>['sql']) {
  const { rows } = await sql.query<{ at: string }>('select checked_at::text as at from crm_check')
  return rows[0]!.at
}
