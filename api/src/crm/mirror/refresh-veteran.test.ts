import { randomUUID } from 'node:crypto'
import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getUserInfo } from '@guidon/contract/profile'
import { boot } from '@guidon/tests/boot'
import { linkTo } from '@guidon/tests/links'
import { newOrg } from '@guidon/tests/org'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshVeteran } from './refresh-veteran.ts'

const COMPOSITE = 'POST /services/data/v64.0/composite'

const org = await newOrg()
// The poller reads once, at the start, and then leaves the mirror alone.
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '3600' } })
const { sql } = testApp

const setMirrorAge = (ago: string, kind = '%') =>
  sql.query(`update crm_sync_cursor set completed_at = now() - $1::interval where kind like $2`, [
    ago,
    kind,
  ])
const refreshesOf = async (userIds: readonly string[]) => {
  const { rows } = await sql.query<{ state: string }>(
    `select state from pgboss.job where name = $1 and data ->> 'userId' = any($2)`,
    [refreshVeteran.name, userIds],
  )
  return rows.map(({ state }) => state)
}
const refreshCalls = () => testApp.logged().split('"purpose":"refresh"').length - 1

/** A veteran whose account was linked to the provider's contact an hour ago. */
async function veteran(linked = '1 hour') {
  const account = await testApp.account()
  const contactId = await org.staff('add-contact', { LastName: 'Whitfield', Email: account.email })
  const { rows } = await sql.query<{ id: string; since: Date }>(
    'select id, now() - $2::interval as since from users where email = $1',
    [account.email, linked],
  )
  const { id: userId, since } = rows[0]!
  await linkTo(sql, account, contactId, { since })
  return { ...account, contactId, userId }
}

beforeEach(async () => {
  await vi.waitUntil(async () => {
    const { rows } = await sql.query(`select from crm_sync_cursor where completed_at is null`)
    return rows.length === 0
  }, 60_000)
  await setMirrorAge('30 seconds')
})

describe('a sign-in', () => {
  it('causes no CRM call while the mirror is fresh', async () => {
    const account = await veteran()
    const { used } = await org.stats()
    await testApp.signedIn(account)
    expect(await refreshesOf([account.userId])).toEqual([])
    expect((await org.stats()).used).toBe(used)
  })

  it.each(['contact', 'appointment', 'document'])(
    'reads the veteran from the CRM while the mirror of one kind (%s) is older than a minute',
    async (kind) => {
      const account = await veteran()
      await setMirrorAge('61 seconds', kind)
      await testApp.signedIn(account)
      expect(await refreshesOf([account.userId])).toHaveLength(1)
    },
  )

  it('causes no CRM call while only kinds that rarely change are older than a minute', async () => {
    const account = await veteran()
    await setMirrorAge('10 minutes', 'user')
    await setMirrorAge('10 minutes', 'documentCategory')
    await testApp.signedIn(account)
    expect(await refreshesOf([account.userId])).toEqual([])
  })

  it('reads the veteran from the CRM before the mirror was ever complete', async () => {
    const account = await veteran()
    await sql.query(`update crm_sync_cursor set completed_at = null where kind = 'document'`)
    await testApp.signedIn(account)
    expect(await refreshesOf([account.userId])).toHaveLength(1)
    await setMirrorAge('30 seconds')
  })

  it('reads the veteran from the CRM within five minutes after the account was linked', async () => {
    const [recent, earlier] = [await veteran('4 minutes'), await veteran('6 minutes')]
    await testApp.signedIn(recent)
    await testApp.signedIn(earlier)
    expect(await refreshesOf([recent.userId])).toHaveLength(1)
    expect(await refreshesOf([earlier.userId])).toEqual([])
  })

  it('causes no CRM call for a veteran without a contact, nor for staff', async () => {
    await setMirrorAge('1 hour')
    for (const role of ['USER', 'STAFF'] as const) {
      const account = await testApp.account(role)
      await testApp.signedIn(account)
      const { rows } = await sql.query('select id from users where email = $1', [account.email])
      expect(await refreshesOf([rows[0].id])).toEqual([])
    }
  })

  it('shows what staff changed since the last poll', async () => {
    const account = await veteran()
    const { contactId } = account
    const [manager] = await org.rows<{ Id: string; Name: string }>('User')
    await org.staff('edit-contact', { contactId, MailingCity: 'Carlsbad' })
    await org.staff('assign-case-manager', { contactId, userId: manager!.Id })
    await org.staff('add-appointment', { contactId, date: '2031-01-02', time: '09:00' })
    await setMirrorAge('1 hour')
    const client = await testApp.signedIn(account)
    await expect.poll(async () => (await client.call(getUserInfo, {})).body.city).toBe('Carlsbad')
    await expect
      .poll(async () => (await client.call(getCaseManager, {})).body.caseManager?.name)
      .toBe(manager!.Name)
    await expect
      .poll(async () => (await client.call(getAppointments, {})).body)
      .toMatchObject([{ appointmentDateText: '2031-01-02' }])
  })
})

describe('refreshes', () => {
  /** Accounts with contacts in the CRM that the mirror does not have. */
  async function veterans(count: number) {
    const stamp = new Date().toISOString()
    const contacts = org.load(
      'Contact',
      Array.from({ length: count }, () => ({ LastName: 'Bulk', SystemModstamp: stamp })),
    )
    const { rows } = await sql.query<{ id: string }>(
      `with contacts as (select gen_random_uuid() as id, contact from unnest($1::text[]) as contact),
       added as (
         insert into users (id, email, password_hash, first_name, last_name, phone, state, role)
         select id, id || '@example.com', '', 'A', 'B', '6195550134', 'California', 'USER' from contacts)
       insert into links (user_id, contact_id, origin, state, live_at)
       select id, contact, 'portal', 'live', now() - interval '1 hour' from contacts
       returning user_id as id`,
      [contacts],
    )
    return { contacts, userIds: rows.map(({ id }) => id) }
  }
  const mirrored = async (ids: readonly string[]) => {
    const { rows } = await sql.query('select from crm_contact where id = any($1)', [ids])
    return rows.length
  }
  const completed = (userIds: readonly string[]) =>
    vi.waitUntil(
      async () => (await refreshesOf(userIds)).every((state) => state === 'completed'),
      20_000,
    )

  it('that wait are made in one call for up to 200 veterans', async () => {
    const { contacts, userIds } = await veterans(250)
    await testApp.stopWorkers()
    for (const userId of userIds) await testApp.send(refreshVeteran, { userId })
    const before = refreshCalls()
    await testApp.startWorker()
    await completed(userIds)
    expect(refreshCalls() - before).toBe(2)
    expect(await mirrored(contacts)).toBe(250)
  })

  it('of one account that signs in twice at once make one call', async () => {
    const { contacts, userIds } = await veterans(1)
    await testApp.stopWorkers()
    await testApp.send(refreshVeteran, { userId: userIds[0]! })
    await testApp.send(refreshVeteran, { userId: userIds[0]! })
    const before = refreshCalls()
    await testApp.startWorker()
    await completed(userIds)
    expect(refreshCalls() - before).toBe(1)
    expect(await mirrored(contacts)).toBe(1)
  })

  it('make no call while the quota is scarce', async () => {
    const { contacts, userIds } = await veterans(1)
    await sql.query(
      `insert into crm_api_usage (day, used, allowed) values (current_date + 1, 80, 100)`,
    )
    await testApp.send(refreshVeteran, { userId: userIds[0]! })
    await completed(userIds)
    expect(await mirrored(contacts)).toBe(0)
    await sql.query('delete from crm_api_usage where day = current_date + 1')
  })

  it('do not fail while the CRM is unavailable', async () => {
    const { userIds } = await veterans(1)
    await org.fault({ mode: 'down' })
    await testApp.send(refreshVeteran, { userId: userIds[0]! })
    await completed(userIds)
    expect(await refreshesOf(userIds)).toEqual(['completed'])
    await org.fault({ mode: 'none' })
  })

  it('of a contact id that cannot exist do not keep others from being read', async () => {
    const { contacts, userIds } = await veterans(2)
    await sql.query(`update links set contact_id = 'nonsense' where user_id = $1`, [userIds[0]])
    await testApp.stopWorkers()
    for (const userId of userIds) await testApp.send(refreshVeteran, { userId })
    await testApp.startWorker()
    await completed(userIds)
    expect(await mirrored(contacts)).toBe(1)
  })

  it('hold no database connection during the call, and bring back nothing of an account erased meanwhile', async () => {
    const { contactId, userId } = await veteran()
    await org.staff('edit-contact', { contactId, MailingCity: 'Oceanside' })
    await org.fault({ mode: 'hang', match: COMPOSITE, times: 1 })
    await testApp.send(refreshVeteran, { userId })
    await org.waitForHeldCall()
    // Other transactions of the worker are short; one that is held stays open until the call times out.
    const open = async () => {
      const { rows } = await sql.query(
        `select query from pg_stat_activity where datname = current_database() and state like 'idle in%'`,
      )
      return rows
    }
    await expect.poll(open, { timeout: 6_000 }).toEqual([])
    expect(await testApp.admin.records.erase.erase(userId)).toBeDefined()
    await org.fault({ mode: 'none' })
    const { rows } = await vi.waitUntil(async () => {
      const found = await sql.query('select city, email from crm_contact where id = $1', [
        contactId,
      ])
      return found.rows.length > 0 && found
    }, 60_000)
    expect(rows).toEqual([{ city: null, email: null }])
  })

  it('make no call for an account that does not exist any more', async () => {
    const before = refreshCalls()
    const userId = randomUUID()
    await testApp.send(refreshVeteran, { userId })
    await completed([userId])
    expect(refreshCalls()).toBe(before)
  })
})
