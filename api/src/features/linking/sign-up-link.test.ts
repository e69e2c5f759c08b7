import { randomUUID } from 'node:crypto'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth } from '@guidon/contract/auth'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { mailbox } from '@guidon/tests/mailbox'
import { newOrg } from '@guidon/tests/org'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findContact } from './find-contact.ts'
import { signUpLink } from './sign-up-link.ts'

const COMPOSITE = 'POST /services/data/v64.0/composite'

const org = await newOrg()
// The longest that is allowed, because the machine may be busy.
const WAIT_SECONDS = 5
// The poller reads once, at the start, so that only a lookup in the CRM can find later contacts.
const environment = {
  ...org.environment,
  CRM_POLL_SECONDS: '3600',
  CRM_SIGN_UP_SECONDS: String(WAIT_SECONDS),
}
const testApp = await boot({ environment })
const { sql } = testApp

const newEmail = () => `${randomUUID()}@example.com`
const addContact = (email: string, fields = {}) =>
  org.staff('add-contact', { LastName: NEWCOMER.lastName, Email: email, ...fields })
const stateOf = async (email: string) => {
  const { rows } = await sql.query(
    `select (select contact_id from links where user_id = users.id and state = 'live') as contact,
       exists (select from links where user_id = users.id and state = 'live' and origin <> 'portal') as linked,
       (select count(*)::int from crm_outbox where user_id = users.id) as entries,
       (select count(*)::int from sessions where user_id = users.id) as sessions,
       array(select details ->> 'contact' from audit_events
         where event = 'account_linked' and subject_id = users.id) as audited
     from users where email = $1`,
    [email],
  )
  return rows[0]
}
const countLookups = async (state = '%') => {
  const { rows } = await sql.query(
    'select from pgboss.job where name = $1 and state::text like $2',
    [findContact.name, state],
  )
  return rows.length
}
const refreshCalls = (app = testApp) => app.logged().split('"purpose":"refresh"').length - 1
const waitForLookups = () =>
  vi.waitUntil(async () => (await countLookups()) === (await countLookups('completed')), 60_000)
const sent = (email: string) =>
  vi.waitUntil(async () => {
    const { rows } = await sql.query(
      `select from crm_outbox join users on users.id = user_id where email = $1 and sent_at is null`,
      [email],
    )
    return rows.length === 0
  }, 60_000)

/** Signs up, and returns the step that is left: the verification of the code. */
async function registered(email = newEmail(), app = testApp) {
  const client = app.newClient()
  await client.call(register, { body: { ...NEWCOMER, email } })
  const code = await mailbox.codeFor(email)
  const verify = async () => {
    const { status, body } = await client.call(verifyEmail, { body: { email, code } })
    return { status, linked: body.salesforceInfo?.linkedToExistingAccount }
  }
  return { client, email, verify }
}

beforeAll(() =>
  vi.waitUntil(async () => {
    const { rows } = await sql.query(`select from crm_sync_cursor where completed_at is null`)
    return rows.length === 0
  }, 60_000),
)
afterEach(async () => {
  await org.fault({ mode: 'none' })
  await waitForLookups()
})

describe('a verified sign-up', () => {
  it('is linked at once to a contact that was made seconds before the sign-up', async () => {
    const email = newEmail()
    const id = await addContact(email)
    const { linked, userId } = await testApp.signedUp(email)
    expect(linked).toBe(true)
    expect(await stateOf(email)).toMatchObject({ contact: id, linked: true, audited: [id] })
    expect(await org.rows('Contact', { Portal_User_Id__c: userId })).toMatchObject([{ Id: id }])
    expect(await org.rows('Contact', { Email: email })).toHaveLength(1)
    expect(await stateOf(email)).toMatchObject({ entries: 1 })
  })

  it('finds the appointments of a new contact on its dashboard, all with one call to the CRM', async () => {
    const email = newEmail()
    const contactId = await addContact(email)
    await org.staff('add-appointment', { contactId, date: '2031-01-02', time: '09:00' })
    const calls = refreshCalls()
    await sql.query('update crm_sync_cursor set completed_at = now()')
    const { client } = await testApp.signedUp(email)
    const { body } = await client.call(getAppointments, {})
    expect(body).toMatchObject([{ appointmentDateText: '2031-01-02' }])
    expect(refreshCalls() - calls).toBe(1)
    const { rows } = await sql.query(
      `select from pgboss.job where name = 'crm.refresh-veteran'
      and data ->> 'userId' = (select id::text from users where email = $1)`,
      [email],
    )
    expect(rows).toEqual([])
  })

  it('lands in the intake if the CRM has no contact with its email, or none that matches', async () => {
    const [unknown, other] = [newEmail(), newEmail()]
    await addContact(other, { LastName: 'Other' })
    for (const email of [unknown, other]) {
      const { linked, userId } = await testApp.signedUp(email)
      expect(linked).toBe(false)
      const [made] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
      await sent(email)
      expect(await stateOf(email)).toMatchObject({ contact: made!.Id, linked: false, entries: 1 })
    }
  })

  it('lands in the intake if two contacts match', async () => {
    const email = newEmail()
    await addContact(email)
    await addContact(email)
    expect((await testApp.signedUp(email)).linked).toBe(false)
    expect(await stateOf(email)).toMatchObject({ linked: false, audited: [] })
  })

  it('does not ask the CRM if the mirror was read after the sign-up', async () => {
    const before = await countLookups()
    const { email, verify } = await registered()
    await sql.query(`update crm_sync_cursor set completed_at = now() + interval '11 seconds'
      where kind = 'contact'`)
    expect(await verify()).toEqual({ status: 200, linked: false })
    expect(await countLookups()).toBe(before)
    await sql.query(`update crm_sync_cursor set completed_at = now() where kind = 'contact'`)
    await sent(email)
  })

  it('is looked up in the CRM only after its code was right', async () => {
    const before = await countLookups()
    const { client, email, verify } = await registered()
    const wrong = await client.call(verifyEmail, { body: { email, code: '000000' } })
    expect(wrong.status).toBeGreaterThanOrEqual(400)
    expect(await countLookups()).toBe(before)
    await verify()
    expect(await countLookups()).toBe(before + 1)
  })

  it('is linked once when two tabs verify the same code at once', async () => {
    const { email, verify } = await registered()
    const id = await addContact(email)
    const statuses = (await Promise.all([verify(), verify()])).map(({ status }) => status)
    // The second one may repeat the first one, and gets the same session.
    expect(statuses).toContain(200)
    await sent(email)
    expect(await stateOf(email)).toEqual({
      contact: id,
      linked: true,
      entries: 1,
      sessions: 1,
      audited: [id],
    })
  })

  it('is linked by the worker if the API dies while it waits', async () => {
    // An account as the transaction of the verification leaves it.
    const { email } = await testApp.account()
    const id = await addContact(email, { LastName: 'Whitfield' })
    const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
      email,
    ])
    await testApp.send(findContact, { userId: rows[0]!.id })
    await waitForLookups()
    expect(await stateOf(email)).toMatchObject({ contact: id, entries: 1, audited: [id] })
  })

  it('is linked once when the job runs twice', async () => {
    const email = newEmail()
    const id = await addContact(email)
    const { userId } = await testApp.signedUp(email)
    await Promise.all([
      testApp.send(findContact, { userId }),
      testApp.send(findContact, { userId }),
    ])
    await waitForLookups()
    expect(await stateOf(email)).toMatchObject({ contact: id, entries: 1, audited: [id] })
  })
})

describe('a verified sign-up goes on as a new veteran', () => {
  it('if the CRM does not answer in time, and is linked later', async () => {
    const email = newEmail()
    const id = await addContact(email)
    const { verify } = await registered(email)
    await org.fault({ mode: 'hang', match: COMPOSITE, times: 1 })
    const started = performance.now()
    expect(await verify()).toEqual({ status: 200, linked: false })
    expect(performance.now() - started).toBeGreaterThan(WAIT_SECONDS * 1000 - 100)
    await org.fault({ mode: 'none' })
    await sent(email)
    expect(await stateOf(email)).toMatchObject({ contact: id, linked: true, entries: 1 })
  })

  it.each(['down', '500', 'quota'] as const)('if the CRM fails with %s', async (mode) => {
    const { email, verify } = await registered()
    await org.fault({ mode, match: COMPOSITE })
    expect(await verify()).toEqual({ status: 200, linked: false })
    expect(await stateOf(email)).toMatchObject({ entries: 1, sessions: 1 })
  })

  it('without a call while the quota is scarce', async () => {
    const { email, verify } = await registered()
    await sql.query(
      `insert into crm_api_usage (day, used, allowed) values (current_date + 1, 80000, 100000)`,
    )
    const calls = refreshCalls()
    expect(await verify()).toEqual({ status: 200, linked: false })
    expect(refreshCalls()).toBe(calls)
    await sql.query('delete from crm_api_usage where day = current_date + 1')
    expect(await stateOf(email)).toMatchObject({ entries: 1 })
  })

  it('while no worker runs, and delays no other request meanwhile', async () => {
    // More sign-ups wait than the pool has connections.
    const app = await boot({ environment: { ...environment, DATABASE_POOL: '2' } })
    const { client } = await app.signedUp()
    const signUps = await Promise.all(Array.from({ length: 6 }, () => registered(newEmail(), app)))
    await app.stopWorkers()
    let waiting = signUps.length
    const outcomes = Promise.all(
      signUps.map(({ verify }) => verify().finally(() => (waiting -= 1))),
    )
    await expect
      .poll(async () => {
        const { rows } = await app.sql.query(
          'select from pgboss.job where name = $1 and state < $2',
          [findContact.name, 'active'],
        )
        return rows.length
      })
      .toBe(6)
    for (let request = 0; request < 20; request += 1) {
      expect((await client.call(checkAuth, {})).status).toBe(200)
    }
    expect(waiting).toBe(6)
    expect(await outcomes).toEqual(signUps.map(() => ({ status: 200, linked: false })))
    const entries = `select user_id from crm_outbox where kind = 'contact'`
    expect((await app.sql.query(entries)).rows).toHaveLength(7)
    const calls = refreshCalls(app)
    await app.startWorker()
    await vi.waitUntil(async () => {
      const { rows } = await app.sql.query(
        `select from pgboss.job where name = $1 and state <> 'completed'`,
        [findContact.name],
      )
      return rows.length === 0
    }, 60_000)
    expect(refreshCalls(app)).toBe(calls)
    expect((await app.sql.query(entries)).rows).toHaveLength(7)
  })

  it('at once if thirty others wait already', async () => {
    const db = databaseAt(testApp.config.DATABASE_URL, 2)
    // Opens a connection first: on a busy machine that may take as long as the others wait.
    await db.selectFrom('users').select('id').limit(1).execute()
    const { waitForLink } = signUpLink({
      db,
      jobs: { send: async () => {} },
      links: { answer: async () => ({ answer: 'yes' }) },
      onSignedIn: async () => false,
      waitSeconds: 3,
    })
    const waits = Array.from({ length: 30 }, () =>
      waitForLink(randomUUID()).then(
        () => 'waited',
        (error: Error) => error.message,
      ),
    )
    expect(await Promise.race([...waits, waitForLink(randomUUID())])).toBe(false)
    const outcomes = new Set(await Promise.all(waits))
    // All thirty end at once and share two connections; on a busy machine some of them get none in time.
    outcomes.delete('timeout exceeded when trying to connect')
    expect([...outcomes]).toEqual(['waited'])
  })

  it('if it is erased during the call, and the contact stays unlinked', async () => {
    const email = newEmail()
    const id = await addContact(email)
    const { verify } = await registered(email)
    await org.fault({ mode: 'hang', match: COMPOSITE, times: 1 })
    const outcome = verify()
    await org.waitForHeldCall()
    const { rows } = await sql.query('select id from users where email = $1', [email])
    expect(await testApp.admin.records.erase.erase(rows[0].id)).toBeDefined()
    await org.fault({ mode: 'none' })
    expect(await outcome).toMatchObject({ linked: false })
    const linked = await sql.query('select from links where contact_id = $1', [id])
    expect(linked.rows).toEqual([])
  })
})

it('asks the CRM about the sign-ups of one second in one call', async () => {
  const signUps = await Promise.all(Array.from({ length: 5 }, () => registered()))
  await testApp.stopWorkers()
  const calls = refreshCalls()
  const before = await countLookups()
  const outcomes = Promise.all(signUps.map(({ verify }) => verify()))
  await expect.poll(() => countLookups()).toBe(before + 5)
  await testApp.startWorker()
  expect(await outcomes).toEqual(signUps.map(() => ({ status: 200, linked: false })))
  await waitForLookups()
  expect(refreshCalls() - calls).toBe(1)
})
