import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import { describe, expect, it } from 'vitest'

interface Request {
  CreatedDate: string
}

describe('the pace', () => {
  const SECONDS = 1

  it('is shared by all workers', async () => {
    const slowOrg = await newOrg()
    const slowApp = await boot({
      environment: {
        ...slowOrg.environment,
        CRM_POLL_SECONDS: '3600',
        CRM_SEND_SECONDS: String(SECONDS),
      },
    })
    await slowApp.startWorker()
    const { userId } = await slowApp.signedUp()
    const [contact] = await slowOrg.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
    const timeOfNewRequest = async (expectedCount: number) => {
      await slowApp.sql.query(
        `with request as (
           insert into contact_requests (user_id, method) values ($1, 'Call') returning id)
         insert into crm_outbox (user_id, kind, entity_id)
           select $1, 'contact_request', id from request`,
        [userId],
      )
      const rows = await expect
        .poll(() => slowOrg.rows<Request>('Contact_Request__c', { Veteran__c: contact!.Id }), {
          timeout: 60_000,
        })
        .toHaveLength(expectedCount)
        .then(() => slowOrg.rows<Request>('Contact_Request__c', { Veteran__c: contact!.Id }))
      return Math.max(...rows.map(({ CreatedDate }) => Date.parse(CreatedDate)))
    }
    const times = [await timeOfNewRequest(1), await timeOfNewRequest(2), await timeOfNewRequest(3)]
    // The pace is kept from claim to claim. The CRM sets `CreatedDate` later, during the call, so two requests may
    // be a little closer together.
    expect(times[1]! - times[0]!).toBeGreaterThan(SECONDS * 1000 - 500)
    expect(times[2]! - times[1]!).toBeGreaterThan(SECONDS * 1000 - 500)
  })
})

describe('a round that could not send all waiting entries', () => {
  it('is followed by the next one at once', async () => {
    const VETERANS = 60
    const slowOrg = await newOrg()
    const slowApp = await boot({
      environment: { ...slowOrg.environment, CRM_POLL_SECONDS: '3600', CRM_SEND_SECONDS: '3600' },
    })
    await slowApp.sql.query(`update crm_sender set next_round_at = 'infinity'`)
    const { rows } = await slowApp.sql.query<{ id: string }>(
      `insert into users (email, password_hash, first_name, last_name, phone, state, role)
         select g || '@example.com', '', 'Maria', 'Alvarez', '6195550104', 'California', 'USER'
         from generate_series(1, $1::int) g returning id`,
      [VETERANS],
    )
    slowOrg.load(
      'Contact',
      rows.map(({ id }) => ({ LastName: 'Alvarez', Portal_User_Id__c: id })),
    )
    await slowApp.sql.query(
      `with requests as (
         insert into contact_requests (user_id, method)
           select id, 'Call' from users, generate_series(1, 20) returning id, user_id)
       insert into crm_outbox (user_id, kind, entity_id)
         select user_id, 'contact_request', id from requests order by user_id`,
    )
    const before = (await slowOrg.stats()).calls.composite
    await slowApp.sql.query('update crm_sender set next_round_at = now()')
    await expect.poll(async () => (await slowApp.admin.crm.status()).outbox.waiting).toBe(0)
    expect((await slowOrg.stats()).calls.composite).toBe(before + 2)
  })
})
