import { requestContact } from '@guidon/contract/contact'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { boot } from '../../../test/boot.ts'
import { databaseAt } from '../../../test/databases.ts'
import { newOrg } from '../../../test/org.ts'
import { lockNextEntry, markSent } from '../../db/crm-outbox.ts'

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
    await expect.poll(async () => (await outboxState()).waiting, { timeout: 10_000 }).toBe(0)
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

describe('an entry', () => {
  it('has the time when it was sent, even if its transaction had to wait', async () => {
    const { userId } = await testApp.signedUp()
    await contactOf(userId)
    await expect.poll(async () => (await outboxState()).waiting, { timeout: 10_000 }).toBe(0)
    // A worker with a late job for this veteran would send the entries below itself.
    await testApp.stopWorkers()
    await testApp.sql.query(
      `insert into crm_outbox (user_id, kind, entity_id)
       values ($1, 'contact_request', gen_random_uuid()), ($1, 'contact_request', gen_random_uuid())`,
      [userId],
    )
    const db = databaseAt(testApp.config.DATABASE_URL, 2)
    const earlier = await db.startTransaction().execute()
    await sql`select now()`.execute(earlier)
    const later = await db.startTransaction().execute()
    const numbers: string[] = []
    for (const tx of [later, earlier]) {
      const { number } = (await lockNextEntry(tx, userId))!
      await markSent(tx, number)
      await tx.commit().execute()
      numbers.push(number)
    }
    const { rows } = await testApp.sql.query(
      `select number from crm_outbox where number = any($1) order by sent_at`,
      [numbers],
    )
    expect(rows.map(({ number }) => number)).toEqual(numbers)
    await testApp.startWorker()
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
      .poll(async () => (await outboxState()).refusals, { timeout: 10_000 })
      .toMatchObject([{ kind: 'contact_request', entries: 1 }])
    expect((await outboxState()).waiting).toBe(2)

    const newContactId = await org.staff('add-contact', {
      LastName: 'Alvarez',
      Portal_User_Id__c: userId,
    })
    expect(await testApp.admin.crm.sendAgain()).toBe(1)
    await expect.poll(async () => (await outboxState()).waiting, { timeout: 10_000 }).toBe(0)
    expect(await requestsOf(newContactId)).toHaveLength(2)
  })
})

describe('the quota', () => {
  it('is shown to the operator', async () => {
    await testApp.signedUp()
    await expect
      .poll(async () => (await testApp.admin.crm.status()).usage)
      .toMatchObject({ limit: LIMIT })
  })

  it('spaces background calls above 80 %', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => testApp.signedUp()))
    const contacts = await Promise.all(users.map(({ userId }) => contactOf(userId)))
    await org.setUsed(LIMIT * 0.8)
    // The worker reads the usage from the response to its next call.
    const otherUser = await testApp.signedUp()
    await contactOf(otherUser.userId)
    await expect
      .poll(async () => (await testApp.admin.crm.status()).usage?.used)
      .toBeGreaterThanOrEqual(LIMIT * 0.8)

    const started = Date.now()
    await Promise.all(
      users.map(({ client }) => client.call(requestContact, { body: { method: 'Call' } })),
    )
    await Promise.all(contacts.map((contact) => requestsOf(contact)))
    // A fifth of a million spread over a day is a call every 432 ms.
    expect(Date.now() - started).toBeGreaterThan(5 * 432)
  })

  it('reserves no slot beyond the longest wait, and sends the entry later', async () => {
    const { client, userId } = await testApp.signedUp()
    const contactId = await contactOf(userId)
    await org.setUsed(LIMIT * 0.8)
    await testApp.sql.query(
      `update crm_api_usage set used = allowed * 0.8, next_turn_at = now() + interval '10 minutes'
       where day = (select max(day) from crm_api_usage)`,
    )
    await client.call(requestContact, { body: { method: 'Call' } })
    await expect.poll(() => testApp.logged(), { timeout: 10_000 }).toContain('OWN_PACE')
    const { rows } = await testApp.sql.query(
      `select next_turn_at > now() + interval '11 minutes' as pushed from crm_api_usage order by day desc limit 1`,
    )
    expect(rows).toEqual([{ pushed: false }])
    await testApp.sql.query('update crm_api_usage set next_turn_at = now()')
    expect(await requestsOf(contactId)).toHaveLength(1)
  })
})
