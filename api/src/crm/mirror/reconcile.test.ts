import { boot } from '@guidon/tests/boot'
import { linkTo } from '@guidon/tests/links'
import { newOrg } from '@guidon/tests/org'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { reconcile } from './reconcile.ts'

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
const { sql } = testApp

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }
/** So old that a pass that reads only changes does not find the row. */
const OLD = '2020-01-01T00:00:00.000Z'

interface State {
  kind: string
  compared: boolean
  repaired: number
}
const stateOf = async (kind: string): Promise<State | undefined> => {
  const { mirror } = await testApp.admin.crm.status()
  const state = mirror.find((one) => one.kind === kind)
  return state && { kind, compared: state.comparedAt !== null, repaired: state.repaired }
}
const liveIds = async (ids: readonly string[]) => {
  const { rows } = await sql.query(
    `select id from crm_contact where not deleted and id = any($1) order by id collate "C"`,
    [ids],
  )
  return rows.map(({ id }) => id as string)
}
const cities = async (ids: readonly string[]) => {
  const { rows } = await sql.query('select city from crm_contact where id = any($1)', [ids])
  return rows.map(({ city }) => city as string | null)
}

/** Adds old rows to the CRM. */
const inCrm = (count: number, fields = {}) =>
  org.load(
    'Contact',
    Array.from({ length: count }, () => ({ LastName: 'Old', SystemModstamp: OLD, ...fields })),
  )
const inMirror = (ids: readonly string[], modifiedAt = OLD, deleted = false) =>
  sql.query(
    `insert into crm_contact (id, modified_at, deleted, last_name)
     select unnest($1::text[]), $2, $3, 'Old'`,
    [ids, modifiedAt, deleted],
  )
/** Ids that the CRM once had. */
const removedFromCrm = (count: number) => {
  const ids = inCrm(count)
  org.purge('Contact', ids)
  return ids
}

async function compareAll(): Promise<void> {
  await sql.query('update crm_sync_cursor set compared_at = null')
  await testApp.send(reconcile, null)
  const uncompared = async () =>
    (await sql.query('select kind from crm_sync_cursor where compared_at is null')).rows
  await expect.poll(uncompared, WAIT_OPTIONS).toEqual([])
}

beforeAll(async () => {
  const unread = 'select from crm_sync_cursor where completed_at is null'
  await vi.waitUntil(async () => (await sql.query(unread)).rowCount === 0, WAIT_OPTIONS)
})

describe('the nightly comparison', () => {
  it('adds a missing row and deletes a superfluous one, although the counts are equal', async () => {
    const ids = [...inCrm(1), ...removedFromCrm(1)]
    await inMirror(ids.slice(1))
    await compareAll()
    expect(await liveIds(ids)).toEqual([ids[0]])
    expect(await stateOf('contact')).toMatchObject({ compared: true, repaired: 2 })
    await compareAll()
    expect(await stateOf('contact')).toMatchObject({ compared: true, repaired: 0 })
  })

  it('finds a change that the mirror has missed', async () => {
    const ids = inCrm(1, { MailingCity: 'San Diego' })
    await inMirror(ids, '2019-01-01')
    await compareAll()
    expect(await cities(ids)).toEqual(['San Diego'])
  })

  it('restores a row that the mirror has deleted and the CRM has not', async () => {
    const ids = inCrm(1)
    await inMirror(ids, OLD, true)
    await compareAll()
    expect(await liveIds(ids)).toEqual(ids)
  })

  it('deletes a row that is in the recycle bin of the CRM', async () => {
    const ids = inCrm(1, { IsDeleted: true, SystemModstamp: '2020-01-02T00:00:00.000Z' })
    await inMirror(ids)
    await compareAll()
    expect(await liveIds(ids)).toEqual([])
  })

  it('leaves alone what changed a moment ago, which the next pass reads', async () => {
    const ids = inCrm(1, { SystemModstamp: new Date().toISOString() })
    await compareAll()
    expect(await stateOf('contact')).toMatchObject({ repaired: 0 })
    await expect.poll(() => liveIds(ids), WAIT_OPTIONS).toEqual(ids)
  })

  it('compares more than one range', async () => {
    const ids = inCrm(4_100)
    const missing = new Set([ids[10], ids[2_500], ids[4_099]])
    await inMirror(ids.filter((id) => !missing.has(id)))
    await compareAll()
    expect(await liveIds(ids)).toEqual(ids)
    expect(await stateOf('contact')).toMatchObject({ repaired: 3 })
  })

  it('continues where an earlier night ended', async () => {
    const ids = inCrm(3)
    await sql.query(`update crm_sync_cursor set compared_id = $1 where kind = 'contact'`, [ids[1]])
    await compareAll()
    expect(await liveIds(ids)).toEqual([ids[2]])
    await compareAll()
    expect(await liveIds(ids)).toEqual(ids)
  })

  it('repairs a range once, although two jobs have compared it at the same time', async () => {
    const ids = removedFromCrm(1)
    await inMirror(ids)
    const repairs = () => testApp.logged().split('crm: mirror differed, rows repaired').length
    const before = repairs()
    const completedJobs = async () => {
      const { rowCount } = await sql.query(
        `select from pgboss.job where name = $1 and state = 'completed'`,
        [reconcile.name],
      )
      return rowCount ?? 0
    }
    const completed = await completedJobs()
    await sql.query(`update crm_sync_cursor set compared_at = null where kind = 'contact'`)
    // A worker that finds both jobs starts both. One cannot repair the row yet, the other waits for it.
    await testApp.stopWorkers()
    await testApp.send(reconcile, null)
    await testApp.send(reconcile, null)
    await sql.query('begin')
    await sql.query('select from crm_contact where id = any($1) for update', [ids])
    await testApp.startWorker()
    const waiting = async () => {
      // The view is read once a transaction otherwise.
      await sql.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await sql.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like '%"compared_id" = %for update'`,
      )
      return rowCount
    }
    await expect.poll(waiting, WAIT_OPTIONS).toBe(1)
    await sql.query('rollback')
    await expect.poll(completedJobs, WAIT_OPTIONS).toBe(completed + 2)
    expect(await liveIds(ids)).toEqual([])
    expect(repairs()).toBe(before + 1)
    expect(await stateOf('contact')).toMatchObject({ compared: true, repaired: 1 })
  })

  it('tells the veteran about an appointment that the CRM no longer has', async () => {
    const { email } = await testApp.account()
    const contactId = inCrm(1)[0]
    await linkTo(sql, { email }, contactId!, { since: '2026-01-01' })
    await sql.query(
      `insert into crm_appointment (id, modified_at, deleted, contact_id, date, time, scheduled)
       values ('a02000000000000AAA', $1, false, $2, current_date + 30, '09:30', true)`,
      [OLD, contactId],
    )
    await compareAll()
    const { rows } = await sql.query(
      `select event from notices where subject_id = 'a02000000000000AAA'`,
    )
    expect(rows).toEqual([{ event: 'appointmentCancelled' }])
  })

  it('deletes nothing if the CRM no longer shows most rows', async () => {
    const ids = removedFromCrm(1_200)
    await inMirror(ids.slice(1))
    await compareAll()
    expect(await liveIds(ids)).toHaveLength(1_199)
    expect(testApp.logged()).toContain('crm: rows missing in the CRM, none deleted')
  })

  it('compares the other kinds if the CRM refuses to show one', async () => {
    const [missing] = inCrm(1)
    await sql.query(`update crm_sync_cursor set compared_id = 'malformed' where kind = 'document'`)
    await sql.query('update crm_sync_cursor set compared_at = null')
    await testApp.send(reconcile, null)
    await expect.poll(() => liveIds([missing!]), WAIT_OPTIONS).toEqual([missing])
    await expect.poll(() => testApp.logged(), WAIT_OPTIONS).toContain('crm: mirror not compared')
    await sql.query(`update crm_sync_cursor set compared_id = '' where kind = 'document'`)
  })

  it('makes no call while calls are scarce', async () => {
    const { max } = await org.stats()
    await org.setUsed(max * 0.9)
    const isKnown = async () =>
      (await sql.query('select from crm_api_usage where used >= allowed * 0.8')).rowCount
    await expect.poll(isKnown, WAIT_OPTIONS).toBe(1)
    const before = testApp.logged().split('"outcome":"scarce"').length
    await testApp.send(reconcile, null)
    await expect
      .poll(() => testApp.logged().split('"outcome":"scarce"').length, WAIT_OPTIONS)
      .toBe(before + 1)
    await org.setUsed(0)
  })
})
