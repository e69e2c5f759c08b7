import { randomUUID } from 'node:crypto'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth } from '@guidon/contract/auth'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getContactRequest, requestContact } from '@guidon/contract/contact'
import { getDocumentCategories, getDocuments } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import type { Fault as SalesforceFault } from '@guidon/sandbox/salesforce/faults'
import { expect, it, vi } from 'vitest'
import { afterFile } from '../../support/after-file.ts'
import { boot, NEWCOMER } from '../../support/boot.ts'
import { userIdOf } from '../../support/databases.ts'
import { mailbox } from '../../support/mailbox.ts'
import { newOrg } from '../../support/org.ts'
import { startTcpProxy } from '../../support/outside/tcp-proxy.ts'
import { waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, isFullSize, timeLimit } from '../size.ts'
import { responseTimes } from './response-times.ts'

type Fault = SalesforceFault | { mode: 'refused' }

const MAX_RESPONSE_MS = timeLimit(9_000)
const READS = [
  checkAuth,
  getUserInfo,
  getAppointments,
  getCaseManager,
  getContactRequest,
  getDocuments,
  getDocumentCategories,
] as const

const SMALL_SIZE_FAULTS: readonly Fault[] = [{ mode: 'down' }, { mode: 'lost' }, { mode: 'hang' }]
const FULL_SIZE_ONLY_FAULTS: readonly Fault[] = [
  { mode: 'refused' },
  { mode: 'expired-token' },
  { mode: '500' },
  { mode: '429' },
  { mode: 'quota' },
  { mode: 'truncated' },
  { mode: 'slow', milliseconds: 4_000 },
]

const org = await newOrg()
const proxy = await startTcpProxy(Number(new URL(org.environment['SALESFORCE_LOGIN_URL']!).port))
afterFile(proxy.down)
const testApp = await boot({
  environment: {
    SALESFORCE_LOGIN_URL: `http://127.0.0.1:${proxy.port}`,
    CRM_POLL_SECONDS: '2',
  },
})

const failedRounds = () => testApp.logged().split('"msg":"crm: outbox round failed"').length

const begin = (fault: Fault) => (fault.mode === 'refused' ? proxy.down() : org.fault(fault))
const end = ({ mode }: Fault) => (mode === 'refused' ? proxy.up() : org.fault({ mode: 'none' }))

const waitUntilSent = (userId: string) =>
  waitUntilEmpty(testApp.sql, 'select from crm_outbox where user_id = $1 and sent_at is null', {
    values: [userId],
    timeout: 100_000,
  })

/**
 * Waits until the fault has affected a round, else the test would prove nothing. A slow CRM fails no round: everything
 * is sent meanwhile. A small run does not wait for the timeout of a call that hangs.
 */
async function waitForEffect({ mode }: Fault, userId: string, failedBefore: number): Promise<void> {
  if (mode === 'slow') return void (await waitUntilSent(userId))
  if (mode === 'hang') await org.waitForHeldCall()
  if (mode === 'hang' && !isFullSize) return
  await vi.waitUntil(() => failedRounds() > failedBefore, 60_000)
}

const requestsOf = async (userId: string) => {
  const { rows } = await testApp.sql.query<{ id: string; method: string }>(
    `select requests.id, method from contact_requests requests where user_id = $1 order by id`,
    [userId],
  )
  return rows
}

/** Signs up during the fault, so that the CRM does not have the veteran yet. */
async function signUp(timed: ReturnType<typeof responseTimes>['timed']) {
  const client = testApp.newClient()
  const email = `${randomUUID()}@example.com`
  await timed(() => client.call(register, { body: { ...NEWCOMER, email } }))
  const code = await mailbox.codeFor(email)
  const { status } = await timed(() => client.call(verifyEmail, { body: { email, code } }))
  expect(status).toBe(200)
  return { client, email, userId: await userIdOf(testApp.sql, email) }
}

async function checkFault(fault: Fault): Promise<void> {
  const failedBefore = failedRounds()
  await begin(fault)
  const { timed, ...responses } = responseTimes()
  const { client, userId, email } = await signUp(timed)
  const read = () =>
    Promise.all(
      READS.map(async ({ method, path }) => (await timed(() => client.send(method, path))).status),
    )
  const statuses = await read()
  const acknowledged = []
  for (const method of ['Call', 'Email'] as const) {
    acknowledged.push(await timed(() => client.call(requestContact, { body: { method } })))
  }
  await waitForEffect(fault, userId, failedBefore)
  statuses.push(...(await read()))
  await end(fault)
  await waitUntilSent(userId)
  const contacts = await org.rows<{ Id: string }>('Contact', { Email: email })
  const created = await org.rows<Record<string, string>>('Contact_Request__c', {
    Veteran__c: contacts[0]!.Id,
  })
  const received = created.map((row) => ({
    id: row['Portal_Request_Id__c']!,
    method: row['Method__c'],
  }))
  const requested = await requestsOf(userId)
  const receivedIds = new Set(received.map(({ id }) => id))
  statuses.push(...(await read()))
  figures(`CRM ${fault.mode}`, {
    responses: responses.count(),
    'slowest response ms': Math.round(responses.slowestMs()),
    'sign-outs': responses.signOuts(),
    'requests acknowledged': acknowledged.filter(({ status }) => status === 202).length,
    'missing in the CRM': requested.filter(({ id }) => !receivedIds.has(id)).length,
    'duplicate in the CRM': received.length - receivedIds.size + contacts.length - 1,
  })
  headline.sum({
    faults: 1,
    'sign-outs': responses.signOuts(),
    'missing or duplicate':
      requested.filter(({ id }) => !receivedIds.has(id)).length +
      received.length -
      receivedIds.size +
      contacts.length -
      1,
  })
  headline.max({ 'slowest response ms': Math.round(responses.slowestMs()) })
  expect(statuses).toEqual([...READS, ...READS, ...READS].map(() => 200))
  expect(acknowledged.map(({ status }) => status)).toEqual([202, 202])
  expect(requested).toHaveLength(acknowledged.length)
  expect(contacts).toMatchObject([{ Portal_User_Id__c: userId }])
  expect(received.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(requested)
  expect(responses.slowestMs()).toBeLessThan(MAX_RESPONSE_MS)
}

it.each(SMALL_SIZE_FAULTS)(
  'a veteran can do everything during the CRM fault $mode, and afterwards the CRM has each request exactly once',
  checkFault,
)
it.each(FULL_SIZE_ONLY_FAULTS)(
  'a veteran can do everything during the CRM fault $mode, and afterwards the CRM has each request exactly once',
  fullSizeOnly,
  checkFault,
)

it('the logs contain no personal data', () => {
  const logged = testApp.logged()
  expect(logged).toContain('"msg":"crm: call completed"')
  for (const secret of ['@example.com', 'Alvarez', '6195550104', 'for-development-only']) {
    expect(logged).not.toContain(secret)
  }
})
