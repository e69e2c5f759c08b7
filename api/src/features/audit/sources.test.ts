import { login, verifyLogin } from '@guidon/contract/auth'
import { BLOCKED_KINDS_MAX, BLOCKED_WINDOW_MINUTES } from '@guidon/contract/limits'
import { listUsers } from '@guidon/contract/manage-users'
import { changePassword, forgotPassword } from '@guidon/contract/password'
import { register } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { foundInDatabase } from '@guidon/tests/found-in-database'
import { mailbox } from '@guidon/tests/mailbox'
import { PASSWORD } from '@guidon/tests/outside/account'
import { describe, expect, it } from 'vitest'
import { recordBlockedCounts, recordBlocked } from '../../db/blocked-tries.ts'
import { withSource } from '../../platform/request-source.ts'
import { sealAudit } from './seal-job.ts'

const testApp = await boot({ environment: { TRUST_PROXY: '127.0.0.1' } })
const { sql, admin } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 4)

const HOME_ADDRESS = '203.0.113.77'
const OTHER_ADDRESS = '2001:db8:aa:bb:1:2:3:4'
const from = (address: string) => ({ 'x-forwarded-for': address })
const WRONG_PASSWORD = 'Wrong-Lantern-42!'

const sourcesOf = async (email: string) =>
  (await admin.audit.eventsOf(email)).map(({ event, network }) => [event, network])

describe('the source of an event', () => {
  it('is stored for sign-ins, codes and passwords, as a network only', async () => {
    const { email } = await testApp.account()
    const client = testApp.newClient()
    const own = { email, password: PASSWORD }
    await client.call(login, {
      body: { email, password: WRONG_PASSWORD },
      headers: from(OTHER_ADDRESS),
    })
    await client.call(login, { body: own, headers: from(HOME_ADDRESS) })
    const code = await mailbox.codeFor(email)
    const wrong = code === '000000' ? '000001' : '000000'
    await client.call(verifyLogin, { body: { email, code: wrong }, headers: from(OTHER_ADDRESS) })
    await client.call(verifyLogin, { body: { email, code }, headers: from(HOME_ADDRESS) })
    const body = {
      currentPassword: WRONG_PASSWORD,
      newPassword: 'Copper-Window-58!',
      confirmPassword: 'Copper-Window-58!',
    }
    await client.call(changePassword, { body, headers: from(HOME_ADDRESS) })
    await client.call(forgotPassword, { body: { email }, headers: from(OTHER_ADDRESS) })
    expect(await sourcesOf(email)).toEqual([
      ['account_created', null],
      ['sign_in_refused', '2001:db8:aa::/48'],
      ['sign_in_started', '203.0.113.0/24'],
      ['code_refused', '2001:db8:aa::/48'],
      ['signed_in', '203.0.113.0/24'],
      ['signed_in_on_new_device', '203.0.113.0/24'],
      ['password_change_refused', '203.0.113.0/24'],
      ['password_reset_requested', '2001:db8:aa::/48'],
    ])
    const events = await admin.audit.eventsOf(email)
    const sources = new Set(events.map(({ source }) => source))
    expect(sources.size).toBe(3)
    for (const address of [HOME_ADDRESS, OTHER_ADDRESS]) {
      expect(await foundInDatabase(sql, address)).toEqual([])
      expect(testApp.logged()).not.toContain(address)
    }
  })

  it('is stored for sign-ups and for what staff viewed', async () => {
    const email = 'source.newcomer@example.com'
    const body = { ...NEWCOMER, email }
    await testApp.newClient().call(register, { body, headers: from(HOME_ADDRESS) })
    expect(await sourcesOf(email)).toEqual([['signed_up', '203.0.113.0/24']])

    const account = await testApp.account('STAFF')
    const staff = await testApp.signedIn(account)
    await staff.call(listUsers, { headers: from(HOME_ADDRESS) })
    expect((await admin.audit.by({ account: account.email, operator: '' })).at(-1)).toMatchObject({
      event: 'users_listed',
      by: account.email,
      network: '203.0.113.0/24',
    })
  })

  it('is stored even if a proxy forwards something that is not an address', async () => {
    const { email } = await testApp.account()
    const headers = from('z'.repeat(4_000))
    const response = await testApp
      .newClient()
      .call(login, { body: { email, password: WRONG_PASSWORD }, headers })
    expect(response.status).toBe(400)
    expect((await admin.audit.eventsOf(email)).at(-1)).toMatchObject({
      network: null,
      source: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })
})

const rowsOf = async (event: string) => {
  const { rows } = await sql.query<{ details: { count?: number }; network: string | null }>(
    `select details, network::text
     from audit_events left join audit_sources using (transaction, id)
     where event = $1 order by transaction, id`,
    [event],
  )
  return rows
}
const windowEnds = () =>
  sql.query(
    `update blocked_tries set started_at = started_at - make_interval(mins => ${BLOCKED_WINDOW_MINUTES})`,
  )

describe('blocked tries', () => {
  it('of a sign-in make one row for the first, and one row with the count of the others', async () => {
    const { email } = await testApp.account()
    const attempt = () =>
      testApp
        .newClient()
        .call(login, { body: { email, password: WRONG_PASSWORD }, headers: from(HOME_ADDRESS) })
    const statuses: number[] = []
    for (let time = 0; time < 60; time += 1) statuses.push((await attempt()).status)
    const blocked = statuses.filter((status) => status === 429).length
    expect(blocked).toBeGreaterThan(40)
    const first = { details: {}, network: '203.0.113.0/24' }
    expect(await rowsOf('sign_in_blocked')).toEqual([first])

    await recordBlockedCounts(db)
    expect(await rowsOf('sign_in_blocked')).toHaveLength(1)
    await windowEnds()
    await Promise.all([recordBlockedCounts(db), recordBlockedCounts(db)])
    const counted = { details: { count: blocked - 1 }, network: '203.0.113.0/24' }
    expect(await rowsOf('sign_in_blocked')).toEqual([first, counted])

    await attempt()
    expect(await rowsOf('sign_in_blocked')).toEqual([first, counted, first])
  })

  it('are all counted in one row when many are concurrent', async () => {
    const entry = { event: 'code_refused', details: { compared: false } } as const
    await Promise.all(Array.from({ length: 300 }, () => recordBlocked(db, entry)))
    await windowEnds()
    await recordBlockedCounts(db)
    const rows = await rowsOf('code_refused')
    expect(rows.filter(({ details }) => 'compared' in details && !details.compared)).toEqual([
      { details: { compared: false }, network: null },
      { details: { compared: false, count: 299 }, network: null },
    ])
  })

  it('from any number of addresses make a bounded number of rows', async () => {
    const before = (await rowsOf('sign_in_blocked')).length
    const addresses = BLOCKED_KINDS_MAX + 500
    for (let n = 0; n < addresses; n += 1) {
      const address = Buffer.alloc(32)
      address.writeUInt32BE(n)
      await withSource(
        () => ({ network: null, address }),
        () => recordBlocked(db, { event: 'sign_in_blocked' }),
      )
    }
    await windowEnds()
    await recordBlockedCounts(db)
    const rows = (await rowsOf('sign_in_blocked')).slice(before)
    expect(rows.length).toBeLessThanOrEqual(BLOCKED_KINDS_MAX + 2)
    const tries = rows.reduce((sum, { details }) => sum + (details.count ?? 1), 0)
    expect(tries).toBe(addresses)
    const { rows: left } = await sql.query('select from blocked_tries')
    expect(left).toEqual([])
  })

  it('are logged by the sealing job', async () => {
    await recordBlocked(db, { event: 'sign_in_blocked' })
    await recordBlocked(db, { event: 'sign_in_blocked' })
    await windowEnds()
    const before = (await rowsOf('sign_in_blocked')).length
    await testApp.send(sealAudit, {})
    await expect.poll(async () => (await rowsOf('sign_in_blocked')).length).toBe(before + 1)
  })
})
