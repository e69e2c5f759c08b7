import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { quietLinks } from '@guidon/tests/links'
import { newOrg } from '@guidon/tests/org'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { primaryReader } from '../../db/reader.ts'
import { createLog } from '../../platform/log.ts'
import { compareRange } from './compare-range.ts'
import { reconcile } from './reconcile.ts'

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }
/** So old that a pass that reads only changes does not find the row. */
const OLD = '2020-01-01T00:00:00.000Z'
const HIDDEN = ['Due_Date__c', 'Reason__c', 'Status__c', 'Status_Reason__c'].map(
  (name) => `Document_Request__c.${name}`,
)

const org = await newOrg()
const [contactId] = org.load('Contact', [{ LastName: 'Whitfield', SystemModstamp: OLD }])
const ids = org.load(
  'Document_Request__c',
  Array.from({ length: 2_100 }, () => ({
    Veteran__c: contactId,
    Name: 'Letter',
    Reason__c: 'It shows your service',
    Due_Date__c: '2026-12-03',
    Status__c: 'Requested',
    SystemModstamp: OLD,
  })),
)
await org.hide([...HIDDEN, 'Claim__c'])
const testApp = await boot({
  worker: false,
  environment: { ...org.environment, CRM_POLL_SECONDS: '1' },
})
const { sql } = testApp

const withReason = async () =>
  (await sql.query('select from crm_document where reason is not null')).rowCount
const cursor = async (kind: string) => {
  const { rows } = await sql.query(
    'select rereading, fields, compared_at from crm_sync_cursor where kind = $1',
    [kind],
  )
  return rows[0]
}
const isRead = async () =>
  (await sql.query('select from crm_sync_cursor where completed_at is null')).rowCount === 0

beforeAll(async () => {
  await testApp.startWorker()
  await vi.waitUntil(isRead, WAIT_OPTIONS)
  await testApp.stopWorkers()
})

describe('a kind whose fields changed', () => {
  it('is not read again at the first load', async () => {
    expect(await cursor('document')).toMatchObject({ rereading: false, compared_at: null })
    expect(await withReason()).toBe(0)
  })

  it('is read again once the org has more fields, and only this kind', async () => {
    await org.hide(['Claim__c'])
    await testApp.startWorker()
    await expect.poll(withReason, WAIT_OPTIONS).toBe(ids.length)
    await expect.poll(() => cursor('document'), WAIT_OPTIONS).toMatchObject({ rereading: false })
    const { rows } = await sql.query(
      `select distinct status, status_since = modified_at as "isOld", due_date::text as due
       from crm_document`,
    )
    expect(rows).toEqual([{ status: 'requested', isOld: true, due: '2026-12-03' }])
    expect(await cursor('contact')).toMatchObject({ rereading: false, compared_at: null })
    const { mirror } = await testApp.admin.crm.status()
    expect(mirror.find(({ kind }) => kind === 'document')).toMatchObject({ repaired: 0 })
    expect(testApp.logged()).not.toContain('crm: mirror differed')
    await testApp.stopWorkers()
  })

  it('is not read again by a worker that finds the same fields', async () => {
    await sql.query('delete from crm_check')
    await testApp.startWorker()
    const checked = async () => (await sql.query('select from crm_check')).rowCount
    await expect.poll(checked, WAIT_OPTIONS).toBe(1)
    expect(await cursor('document')).toMatchObject({ rereading: false })
    await testApp.stopWorkers()
  })

  it('is read again later if the job that was to do it is lost', async () => {
    await sql.query('update crm_document set reason = null')
    await sql.query(`update crm_sync_cursor set rereading = true,
      compared_step_at = now() - interval '31 minutes' where kind = 'document'`)
    await testApp.startWorker()
    await expect.poll(withReason, WAIT_OPTIONS).toBe(ids.length)
    await testApp.stopWorkers()
  })

  it('is still to be read again if its fields changed while a page was read', async () => {
    await sql.query(`update crm_sync_cursor set rereading = true, compared_id = '',
      compared_step_at = null, fields = '{old}' where kind = 'document'`)
    const readWhileFieldsChange = async () => {
      await sql.query(`update crm_sync_cursor set fields = '{new}' where kind = 'document'`)
      return { rows: [], full: false, asOf: new Date().toISOString() }
    }
    const crm = {
      readFields: () => ({ document: ['old'] }),
      wholeRows: readWhileFieldsChange,
      versions: readWhileFieldsChange,
      rows: async () => [],
      usage: () => undefined,
    }
    const parts = { crm, links: quietLinks, stages: [] }
    const db = databaseAt(testApp.config.DATABASE_URL, 1)
    const reader = primaryReader(db)
    const log = createLog('silent', 'test')
    await compareRange(
      { ...parts, db, reader, log },
      { kind: 'document', afterId: '', steppedAt: null, rereading: true },
    )
    expect(await cursor('document')).toMatchObject({ rereading: true, fields: ['new'] })
  })

  it('waits while calls are scarce, and the nightly comparison continues it', async () => {
    const { max } = await org.stats()
    await sql.query(`update crm_sync_cursor set fields = '{old}' where kind = 'document'`)
    await sql.query('update crm_document set reason = null')
    await org.setUsed(max * 0.9)
    await sql.query('update crm_api_usage set used = allowed')
    await testApp.startWorker()
    await expect.poll(() => testApp.logged(), WAIT_OPTIONS).toContain('"outcome":"scarce"')
    expect(await cursor('document')).toMatchObject({ rereading: true })
    expect(await withReason()).toBe(0)
    await org.setUsed(0)
    await sql.query('update crm_api_usage set used = 0')
    await testApp.send(reconcile, null)
    await expect.poll(withReason, WAIT_OPTIONS).toBe(ids.length)
  })
})
