import { getContactRequest, requestContact } from '@guidon/contract/contact'
import { boot } from '@guidon/tests/boot'
import { expect, it } from 'vitest'

const testApp = await boot()
const { sql } = testApp

const age = (userId: string, days: number) =>
  sql.query(
    `update contact_requests set requested_at = requested_at - make_interval(days => $2) where user_id = $1`,
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

it("nobody sees another veteran's contact request", async () => {
  const [one, other] = [await testApp.signedUp(), await testApp.signedUp()]
  await one.client.call(requestContact, { body: { method: 'Call' } })
  expect((await other.client.call(getContactRequest, {})).body).toEqual({ request: null })
})
