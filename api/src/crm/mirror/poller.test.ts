import { getAppointments } from '@guidon/contract/appointments'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { quietLinks } from '@guidon/tests/links'
import { newOrg } from '@guidon/tests/org'
import { describe, expect, it, vi } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { KINDS } from '../port.ts'
import type { ReadFields } from '../port.ts'
import { claimBehind, claimTick, complete, lockClaim, postpone } from './cursors.sql.ts'
import type { Claim } from './cursors.sql.ts'
import { storePage } from './store-page.ts'

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }
/** The kinds in a new database: all but `claim`, which an org may lack. */
const INITIAL_KINDS = KINDS.filter((kind) => kind !== 'claim')
const REGULAR = new Set<string>(['appointment', 'contact', 'document'])

const kindsOf = (claims: readonly Claim[]) => claims.map(({ kind }) => kind as string).toSorted()

describe('a claim of the cursors', async () => {
  const testApp = await boot({ worker: false })
  const { sql } = testApp
  const db = databaseAt(testApp.config.DATABASE_URL, 2)
  const parts = {
    db,
    links: quietLinks,
    stages: [],
    log: createLog('silent', 'test'),
  }
  const fields: ReadFields = Object.fromEntries(KINDS.map((kind) => [kind, [kind]]))
  await sql.query('update crm_sync_cursor set fields = array[kind]')

  const allDue = () =>
    sql.query(
      `update crm_sync_cursor set due_at = now(), claimed_until = null, ticked_at = null,
         pass_as_of = null, after_at = now(),
         completed_at = case when kind in ('user', 'documentCategory')
           then now() - interval '10 minutes' else now() end`,
    )
  const cursor = async (kind: string) => {
    const { rows } = await sql.query(
      `select *, extract(epoch from due_at - now())::float8 as due_in from crm_sync_cursor
       where kind = $1`,
      [kind],
    )
    return rows[0]
  }
  const page = (asOf: string, full = false) => ({
    rows: full
      ? [{ id: '00A', modifiedAt: asOf, deleted: false, name: 'Dana', email: null, phone: null }]
      : [],
    full,
    asOf,
  })

  it('takes all due kinds for one worker, until the interval has passed', async () => {
    await allDue()
    const [one, other] = await Promise.all([claimTick(db, fields, 10), claimTick(db, fields, 10)])
    expect([kindsOf(one), kindsOf(other)].toSorted((a, b) => b.length - a.length)).toEqual([
      INITIAL_KINDS.toSorted(),
      [],
    ])
    await sql.query('update crm_sync_cursor set due_at = now(), claimed_until = null')
    expect(await claimTick(db, fields, 10)).toEqual([])
    await sql.query(`update crm_sync_cursor set ticked_at = ticked_at - interval '10 s'`)
    expect(await claimTick(db, fields, 10)).toHaveLength(INITIAL_KINDS.length)
  })

  it('takes what is due within half an interval too, so that kinds of different times are read together again', async () => {
    await allDue()
    const dueIn = (kind: string, seconds: number) =>
      sql.query(
        `update crm_sync_cursor set due_at = now() + make_interval(secs => $2) where kind = $1`,
        [kind, seconds],
      )
    await dueIn('contact', 4)
    await dueIn('document', 9)
    expect(kindsOf(await claimTick(db, fields, 10))).toEqual(
      INITIAL_KINDS.filter((kind) => kind !== 'document').toSorted(),
    )
  })

  it('ends after 30 seconds, and what the dead worker had read is not stored any more', async () => {
    await allDue()
    const claim = (await claimTick(db, fields, 0)).find(({ kind }) => kind === 'user')
    await sql.query(
      `update crm_sync_cursor set due_at = due_at - interval '29 s',
         claimed_until = claimed_until - interval '29 s'`,
    )
    expect(await claimTick(db, fields, 0)).toEqual([])
    await sql.query(
      `update crm_sync_cursor set due_at = now(), claimed_until = now() - interval '1 s'`,
    )
    expect(await claimTick(db, fields, 0)).toHaveLength(INITIAL_KINDS.length)
    await storePage(parts, claim!, page(new Date().toISOString(), true), 10)
    expect((await sql.query(`select from crm_user where id = '00A'`)).rowCount).toBe(0)
    expect(await db.transaction().execute((tx) => lockClaim(tx, claim!))).toBe(false)
    await postpone(db, claim!, 'LATE', 3_600)
    expect((await cursor('user')).failure).toBeNull()
  })

  it('of users and categories is due every ten minutes, of the others every interval', async () => {
    await allDue()
    for (const claim of await claimTick(db, fields, 10)) {
      const seconds = REGULAR.has(claim.kind) ? 10 : 600
      await storePage(parts, claim, page(new Date().toISOString()), seconds)
      const { due_in: dueIn } = await cursor(claim.kind)
      expect(dueIn).toBeGreaterThan(seconds - 5)
      expect(dueIn).toBeLessThanOrEqual(seconds)
    }
  })

  it('of a kind with a full page is for that kind alone until the pass ends', async () => {
    await allDue()
    const asOf = new Date().toISOString()
    const claim = (await claimTick(db, fields, 0)).find(({ kind }) => kind === 'user')
    await storePage(parts, claim!, page(asOf, true), 600)
    expect(await claimTick(db, fields, 0)).toEqual([])
    const behind = await claimBehind(db, fields, 'user')
    expect(behind).toMatchObject({ after: { at: asOf, id: '00A' }, passStartedAt: new Date(asOf) })
    expect(await claimBehind(db, fields, 'user')).toBeUndefined()
    await storePage(parts, behind!, page(new Date().toISOString()), 600)
    await sql.query(`update crm_sync_cursor set due_at = now(),
      completed_at = now() - interval '10 minutes' where kind = 'user'`)
    expect(await claimBehind(db, fields, 'user')).toBeUndefined()
    expect(kindsOf(await claimTick(db, fields, 0))).toEqual(['user'])
  })

  it('of users who are due early, because a contact names a new one, is for users alone', async () => {
    await allDue()
    await sql.query(`update crm_sync_cursor set completed_at = now() where kind = 'user'`)
    expect(kindsOf(await claimTick(db, fields, 0))).not.toContain('user')
    expect(await claimBehind(db, fields, 'user')).toMatchObject({ passStartedAt: null })
  })

  it.each([
    ['was never read', 'completed_at = null'],
    ['was not read for more than an hour', `after_at = now() - interval '61 min'`],
  ])('of a kind that %s is for that kind alone', async (_, change) => {
    await allDue()
    await sql.query(`update crm_sync_cursor set ${change} where kind = 'document'`)
    expect(kindsOf(await claimTick(db, fields, 0))).toEqual(
      INITIAL_KINDS.filter((kind) => kind !== 'document').toSorted(),
    )
    expect(await claimBehind(db, fields, 'document')).toMatchObject({ passStartedAt: null })
  })

  it.each([
    ['60 seconds before the previous one began', `now()`, 60],
    [
      '25 minutes before the previous one began, once every 10 minutes',
      `now() - interval '10 min'`,
      1_500,
    ],
  ])('lets the next pass read changes since %s', async (_, completedAt, overlap) => {
    // Wait if a ten-minute period is about to end: the first pass of the next one would have the long overlap.
    await vi.waitUntil(() => (Date.now() / 1000) % 600 < 590, { timeout: 60_000 })
    await allDue()
    await sql.query(`update crm_sync_cursor set completed_at = ${completedAt}`)
    const [claim] = await claimTick(db, fields, 0)
    const started = new Date('2026-11-15T12:00:00.000Z')
    await db.transaction().execute((tx) => complete(tx, claim!, started, 10))
    const { after_at: afterAt } = await cursor(claim!.kind)
    expect((started.getTime() - afterAt.getTime()) / 1000).toBe(overlap)
  })

  it('takes five kinds at most, and those that rarely change last', async () => {
    await sql.query(`insert into crm_sync_cursor (kind, fields) values ('claim', '{claim}')`)
    await allDue()
    const first = await claimTick(db, fields, 0)
    expect(first.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...REGULAR, 'claim']))
    expect(first).toHaveLength(5)
    const second = await claimTick(db, fields, 0)
    expect([...first, ...second].map(({ kind }) => kind).toSorted()).toEqual(KINDS.toSorted())
    await sql.query(`delete from crm_sync_cursor where kind = 'claim'`)
  })

  it('leaves a kind to the workers that know its newest fields', async () => {
    await allDue()
    await sql.query(
      `update crm_sync_cursor set fields = '{document,reason}' where kind = 'document'`,
    )
    expect(kindsOf(await claimTick(db, fields, 0))).not.toContain('document')
    expect(await claimBehind(db, fields, 'document')).toBeUndefined()
    await sql.query('update crm_sync_cursor set fields = array[kind]')
  })
})

describe('the poller', async () => {
  const org = await newOrg()
  const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
  const { sql } = testApp

  it('holds no connection and no lock while it waits for the CRM', async () => {
    await org.fault({ mode: 'hang', match: '/composite' })
    await org.waitForHeldCall()
    const open = `select from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    const free = 'select from (select from crm_sync_cursor for update skip locked) as cursors'
    const held = async () => ({
      open: (await sql.query(open)).rowCount,
      free: (await sql.query(free)).rowCount,
    })
    // Other transactions are open for a moment only, the call is held for seconds.
    await expect
      .poll(held, { timeout: 6_000, interval: 50 })
      .toEqual({ open: 0, free: KINDS.length })
    expect((await org.stats()).hanging).toBeGreaterThan(0)
    await org.fault({ mode: 'none' })
  })

  it('keeps reading the other kinds while one kind catches up', async () => {
    const { client, userId } = await testApp.signedUp()
    const [contact] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
    await org.fault({ mode: 'hang', match: 'GET /services/data/v64.0/queryAll' })
    org.load(
      'Contact',
      Array.from({ length: 4_500 }, (_, at) => ({ LastName: `Bulk ${at}` })),
    )
    await org.waitForHeldCall()
    await org.staff('add-appointment', {
      contactId: contact!.Id,
      date: '2031-05-05',
      time: '10:00',
    })
    await expect
      .poll(async () => (await client.call(getAppointments, {})).body, WAIT_OPTIONS)
      .toHaveLength(1)
    const bulk = async () =>
      (await sql.query(`select from crm_contact where last_name like 'Bulk %'`)).rowCount
    expect(await bulk()).toBeLessThan(4_500)
    await org.fault({ mode: 'none' })
    await expect.poll(bulk, { ...WAIT_OPTIONS, timeout: 60_000 }).toBe(4_500)
  })
})
