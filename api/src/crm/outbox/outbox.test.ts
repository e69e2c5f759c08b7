import { requestContact } from '@guidon/contract/contact'
import { getCrmRefusals } from '@guidon/contract/crm-refusals'
import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import { describe, expect, it } from 'vitest'

const LIMIT = 1_000_000
const org = await newOrg({ dailyLimit: LIMIT })
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '3600' } })

interface Request {
  Id: string
  Method__c: string
  Veteran__c: string
  CreatedDate: string
}

const contactOf = async (userId: string) => {
  const [contact] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
  return contact!.Id
}
const requestsOf = (contactId: string, waitMs?: number) =>
  org.rows<Request>('Contact_Request__c', { Veteran__c: contactId }, waitMs)
const outboxState = async () => (await testApp.admin.crm.status()).outbox
const nothingWaits = async () => {
  await expect.poll(async () => (await outboxState()).waiting).toBe(0)
}
const claims = async () => {
  const { rows } = await testApp.sql.query('select from crm_outbox where claim is not null')
  return rows.length
}
const compositeCalls = async () => (await org.stats()).calls.composite

/** No round starts until `resume`. */
const pause = () => testApp.sql.query(`update crm_sender set next_round_at = 'infinity'`)
const resume = () => testApp.sql.query('update crm_sender set next_round_at = now()')
const addRequests = (userId: string, count: number) =>
  testApp.sql.query(
    `with requests as (
       insert into contact_requests (user_id, method)
         select $1, 'Call' from generate_series(1, $2::int) returning id)
     insert into crm_outbox (user_id, kind, entity_id) select $1, 'contact_request', id from requests`,
    [userId, count],
  )

describe('a request for contact', () => {
  it('is stored in the CRM under the veteran who made it', async () => {
    const { client, userId } = await testApp.signedUp()
    const response = await client.call(requestContact, { body: { method: 'Email' } })
    expect(response.status).toBe(202)
    expect(await requestsOf(await contactOf(userId))).toMatchObject([{ Method__c: 'Email' }])
  })

  it('is sent once for each contact method, however often it is clicked', async () => {
    const { client, userId } = await testApp.signedUp()
    const call = () => client.call(requestContact, { body: { method: 'Call' } })
    await Promise.all(Array.from({ length: 5 }, call))
    await client.call(requestContact, { body: { method: 'Email' } })
    await expect.poll(async () => (await outboxState()).waiting).toBe(0)
    const requests = await requestsOf(await contactOf(userId))
    expect(requests.map(({ Method__c }) => Method__c).toSorted()).toEqual(['Call', 'Email'])
  })

  it('is sent after the contact of its veteran', async () => {
    await org.fault({ mode: '500', match: '/Contact/', times: 2 })
    const { client, userId } = await testApp.signedUp()
    await client.call(requestContact, { body: { method: 'Call' } })
    expect(await requestsOf(await contactOf(userId))).toHaveLength(1)
    const { rows } = await testApp.sql.query(
      'select kind from crm_outbox where user_id = $1 order by sent_at',
      [userId],
    )
    expect(rows).toEqual([{ kind: 'contact' }, { kind: 'contact_request' }])
  })
})

describe('an entry that the CRM refuses', () => {
  it('is shown to the operator, blocks later entries, and can be sent again', async () => {
    const { client, userId } = await testApp.signedUp()
    const contactId = await contactOf(userId)
    await org.staff('delete-row', { id: contactId })
    await client.call(requestContact, { body: { method: 'Call' } })
    await client.call(requestContact, { body: { method: 'Email' } })
    await expect
      .poll(async () => (await outboxState()).refusals)
      .toMatchObject([{ kind: 'contact_request', entries: 1 }])
    expect((await outboxState()).waiting).toBe(2)
    const staff = await testApp.withSession(await testApp.account('STAFF'))
    const { body } = await staff.call(getCrmRefusals, { params: { id: userId } })
    expect(body).toEqual([{ kind: 'contact_request', code: 'INVALID_FIELD' }])

    const newContactId = await org.staff('add-contact', {
      LastName: 'Alvarez',
      Portal_User_Id__c: userId,
    })
    expect(await testApp.admin.crm.sendAgain()).toBe(1)
    await expect.poll(async () => (await outboxState()).waiting).toBe(0)
    expect(await requestsOf(newContactId)).toHaveLength(2)
  })
})

describe('a refusal', () => {
  it("does not stop another veteran's entries of the same call", async () => {
    const [one, two] = await Promise.all([testApp.signedUp(), testApp.signedUp()])
    const [refused, contactId] = await Promise.all([contactOf(one.userId), contactOf(two.userId)])
    await org.staff('delete-row', { id: refused })
    await pause()
    for (const { client } of [one, two]) {
      await client.call(requestContact, { body: { method: 'Call' } })
    }
    const before = await compositeCalls()
    await resume()
    expect(await requestsOf(contactId)).toHaveLength(1)
    await expect.poll(async () => (await outboxState()).refusals).toHaveLength(1)
    expect(await compositeCalls()).toBe(before + 1)
    await org.staff('add-contact', { LastName: 'Alvarez', Portal_User_Id__c: one.userId })
    await testApp.admin.crm.sendAgain()
    await nothingWaits()
  })
})

describe('a round', () => {
  it('sends the entries of many veterans in one call, and up to 20 of one veteran', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => testApp.signedUp()))
    const contacts = await Promise.all(users.map(({ userId }) => contactOf(userId)))
    await nothingWaits()
    await pause()
    await addRequests(users[0]!.userId, 25)
    for (const { userId } of users.slice(1)) await addRequests(userId, 1)
    const before = await compositeCalls()
    await resume()
    await nothingWaits()
    expect(await compositeCalls()).toBe(before + 2)
    const created = await Promise.all(contacts.map((contact) => requestsOf(contact)))
    expect(created.map(({ length }) => length)).toEqual([25, 1, 1, 1, 1])
  })

  it('has the searches for new contacts in one call, and the contacts in the next', async () => {
    await nothingWaits()
    await pause()
    const users = await Promise.all(Array.from({ length: 5 }, () => testApp.signedUp()))
    const before = await compositeCalls()
    await resume()
    await nothingWaits()
    expect(await compositeCalls()).toBe(before + 2)
    expect(await Promise.all(users.map(({ userId }) => contactOf(userId)))).toHaveLength(5)
  })

  it('that fails as a whole releases its entries, and the next one waits longer each time', async () => {
    const { client, userId } = await testApp.signedUp()
    const contactId = await contactOf(userId)
    await nothingWaits()
    await org.fault({ mode: 'down' })
    await client.call(requestContact, { body: { method: 'Call' } })
    const pace = async () => {
      const { rows } = await testApp.sql.query<{ failures: number; waits: number }>(
        `select failures, extract(epoch from next_round_at - now())::float8 as waits from crm_sender`,
      )
      return rows[0]!
    }
    await expect.poll(pace).toMatchObject({ failures: 1 })
    expect((await pace()).waits).toBeLessThanOrEqual(2)
    await expect.poll(pace, { timeout: 60_000, interval: 50 }).toMatchObject({ failures: 2 })
    const { waits } = await pace()
    expect(waits).toBeGreaterThan(2)
    expect(waits).toBeLessThanOrEqual(4)
    await expect.poll(claims).toBe(0)
    await org.fault({ mode: 'none' })
    expect(await requestsOf(contactId)).toHaveLength(1)
    await expect.poll(pace).toMatchObject({ failures: 0 })
  })

  it('whose worker died is repeated when its claim has expired', async () => {
    const { client, userId } = await testApp.signedUp()
    const contactId = await contactOf(userId)
    await nothingWaits()
    await pause()
    await client.call(requestContact, { body: { method: 'Call' } })
    await testApp.sql.query(
      `update crm_outbox set claim = gen_random_uuid(), claimed_until = now() + interval '1 minute'
       where sent_at is null`,
    )
    const before = await compositeCalls()
    await resume()
    const other = await testApp.signedUp()
    await contactOf(other.userId)
    expect(await requestsOf(contactId, 0)).toEqual([])
    expect(await compositeCalls()).toBeGreaterThan(before)
    await testApp.sql.query('update crm_outbox set claimed_until = now() where sent_at is null')
    expect(await requestsOf(contactId)).toHaveLength(1)
  })

  it('leaves no database connection open while it waits for the CRM', async () => {
    const { client, userId } = await testApp.signedUp()
    const contactId = await contactOf(userId)
    await nothingWaits()
    await org.fault({ mode: 'hang', match: '/composite', times: 1 })
    await client.call(requestContact, { body: { method: 'Call' } })
    await org.waitForHeldCall()
    const openTransactions = async () => {
      const { rows } = await testApp.sql.query<{ query: string }>(
        `select query from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      )
      return rows
    }
    await expect.poll(openTransactions).toEqual([])
    expect((await org.stats()).hanging).toBe(1)
    await org.fault({ mode: 'none' })
    expect(await requestsOf(contactId)).toHaveLength(1)
  })
})

describe('the quota', () => {
  it('is shown to the operator', async () => {
    await testApp.signedUp()
    await expect
      .poll(async () => (await testApp.admin.crm.status()).usage)
      .toMatchObject({ limit: LIMIT })
  })

  it('spaces rounds above 80 %', async () => {
    const { client, userId } = await testApp.signedUp()
    const contact = await contactOf(userId)
    await nothingWaits()
    // A fiftieth of a million spread over a day is a call every 4.32 seconds.
    await org.setUsed(LIMIT * 0.98)
    // The worker reads the usage from the response to its next call.
    await client.call(requestContact, { body: { method: 'Call' } })
    await expect
      .poll(async () => (await testApp.admin.crm.status()).usage?.used)
      .toBeGreaterThanOrEqual(LIMIT * 0.98)
    await client.call(requestContact, { body: { method: 'Email' } })
    await nothingWaits()
    const { rows } = await testApp.sql.query<{ wait: number }>(
      'select extract(epoch from next_round_at - now())::float8 as wait from crm_sender',
    )
    expect(rows[0]!.wait).toBeGreaterThan(2)
    expect(await requestsOf(contact)).toHaveLength(2)
  })
})
