import { getContactRequest, requestContact, tooManyContactRequests } from '@guidon/contract/contact'
import { CONTACT_REQUESTS_A_DAY } from '@guidon/contract/limits'
import { boot } from '@guidon/tests/boot'
import { expect, it } from 'vitest'

const testApp = await boot()
const { sql } = testApp

const age = (userId: string, days: number) =>
  sql.query(
    `update contact_requests set requested_at = requested_at - make_interval(secs => $2::float8 * 86400) where user_id = $1`,
    [userId, days],
  )

it('the latest contact request is returned for 14 days', async () => {
  const { client, userId } = await testApp.signedUp()
  const latest = async () => (await client.call(getContactRequest, {})).body.request
  expect(await latest()).toBeNull()

  await client.call(requestContact, { body: { method: 'Email' } })
  await age(userId, 13)
  expect(await latest()).toMatchObject({ method: 'Email' })
  await client.call(requestContact, { body: { method: 'Call' } })
  const request = await latest()
  expect(request?.method).toBe('Call')
  expect(Math.abs(Date.parse(request!.requestedAt) - Date.now())).toBeLessThan(60_000)

  await age(userId, 14)
  expect(await latest()).toBeNull()
})

it('can be requested five times a day, and then says when again', async () => {
  const { client, userId } = await testApp.signedUp()
  const ask = () => client.call(requestContact, { body: { method: 'Call' } })
  for (let times = 0; times < CONTACT_REQUESTS_A_DAY; times += 1) {
    // So that it is not taken for a repetition.
    await age(userId, 0.1)
    expect((await ask()).status).toBe(202)
  }
  await age(userId, 0.1)
  const refused = await ask()
  const { status, ...body } = tooManyContactRequests(0.5 * 24 * 3600)
  expect(refused).toMatchObject({ status, body })
  expect(refused.headers.get('retry-after')).toMatch(/^4[23]\d{3}$/)
  const { rowCount } = await sql.query('select from contact_requests where user_id = $1', [userId])
  expect(rowCount).toBe(CONTACT_REQUESTS_A_DAY)
  await age(userId, 0.6)
  expect((await ask()).status).toBe(202)
})

it("nobody sees another veteran's contact request", async () => {
  const [one, other] = [await testApp.signedUp(), await testApp.signedUp()]
  await one.client.call(requestContact, { body: { method: 'Call' } })
  expect((await other.client.call(getContactRequest, {})).body).toEqual({ request: null })
})
