import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getContactRequest } from '@guidon/contract/contact'
import { getDocumentCategories, getDocuments } from '@guidon/contract/documents'
import type { Endpoint } from '@guidon/contract/endpoint'
import { getUserInfo } from '@guidon/contract/profile'
import { expect, it } from 'vitest'
import { boot } from '../test/boot.ts'
import { newOrg } from '../test/org.ts'
import type { TestClient } from '../test/test-client.ts'
import { limitedConcurrency } from './concurrency.ts'
import { figures, size } from './size.ts'

const DASHBOARD: readonly Endpoint[] = [
  getUserInfo,
  getAppointments,
  getCaseManager,
  getContactRequest,
  getDocuments,
  getDocumentCategories,
]

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '5' } })

const visit = async (client: TestClient) => {
  const responses = await Promise.all(
    DASHBOARD.map(({ method, path }) => client.send(method, path)),
  )
  return responses.every(({ status }) => status === 200)
}

it('a visit to the dashboard causes no CRM call: only the poller calls the CRM', async () => {
  const visits = size(100, 10_000)
  const { client, userId } = await testApp.signedUp()
  await org.rows('Contact', { Portal_User_Id__c: userId })
  await expect.poll(async () => (await testApp.admin.crm.status()).outbox.waiting).toBe(0)

  const before = await org.stats()
  const started = Date.now()
  const served = await limitedConcurrency(visits, () => visit(client), 8)
  const seconds = (Date.now() - started) / 1000
  const after = await org.stats()

  const calls = after.used - before.used
  const pollerCalls =
    after.calls.queryAll + after.calls.query - before.calls.queryAll - before.calls.query
  figures('visits to the dashboard', {
    visits,
    served: served.filter(Boolean).length,
    seconds: seconds.toFixed(1),
    'CRM calls': calls,
    'by the poller': pollerCalls,
    'by visits': calls - pollerCalls,
  })
  expect(served.every(Boolean)).toBe(true)
  expect(calls - pollerCalls).toBe(0)
  expect(pollerCalls).toBeLessThanOrEqual(5 * (Math.ceil(seconds / 5) + 1))
})
