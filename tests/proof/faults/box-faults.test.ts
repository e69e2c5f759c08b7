import { checkAuth } from '@guidon/contract/auth'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'
import type { Fault as BoxFault } from '@guidon/sandbox/box/faults'
import { expect, it, vi } from 'vitest'
import { afterFile } from '../../support/after-file.ts'
import { boot } from '../../support/boot.ts'
import { newBox } from '../../support/box.ts'
import { hashOf, newFile } from '../../support/documents.ts'
import { newOrg } from '../../support/org.ts'
import { startTcpProxy } from '../../support/outside/tcp-proxy.ts'
import { waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, isFullSize, timeLimit } from '../size.ts'
import { responseTimes } from './response-times.ts'

type Fault = BoxFault | { mode: 'refused' }

const MAX_RESPONSE_MS = timeLimit(9_000)
const SMALL_SIZE_FAULTS: readonly Fault[] = [{ mode: 'down' }, { mode: 'hang' }]
const FULL_SIZE_ONLY_FAULTS: readonly Fault[] = [
  { mode: 'refused' },
  { mode: 'lost-response' },
  { mode: '403' },
  { mode: 'full' },
  { mode: '429' },
  { mode: '500' },
  { mode: '503' },
  { mode: 'expired-token' },
  { mode: 'truncated' },
  { mode: 'slow', delayMs: 4_000 },
]

const [box, org] = await Promise.all([newBox(), newOrg()])
const proxy = await startTcpProxy(Number(new URL(box.environment.BOX_API_URL).port))
afterFile(proxy.down)
const throughProxy = (url: string) => {
  const address = new URL(url)
  address.port = String(proxy.port)
  return address.href.replace(/\/$/, '')
}
const testApp = await boot({
  environment: {
    ...org.environment,
    BOX_API_URL: throughProxy(box.environment.BOX_API_URL),
    BOX_UPLOAD_URL: throughProxy(box.environment.BOX_UPLOAD_URL),
    CRM_POLL_SECONDS: '3600',
  },
})

const failedJobs = () => testApp.logged().split('"msg":"jobs: job failed"').length - 1

const begin = (fault: Fault) => (fault.mode === 'refused' ? proxy.down() : box.fault(fault))
const end = ({ mode }: Fault) => (mode === 'refused' ? proxy.up() : box.fault({ mode: 'none' }))

const waitUntilStored = (userId: string) =>
  waitUntilEmpty(
    testApp.sql,
    `select from uploads where user_id = $1 and stored_at is null union all
     select from crm_outbox where user_id = $1 and sent_at is null`,
    { values: [userId], timeout: 110_000 },
  )

/**
 * Waits until a job has failed, else the test would prove nothing. A slow Box fails no job: the file is stored
 * meanwhile. A small run does not wait for the timeout of a call that hangs.
 */
async function waitForEffect({ mode }: Fault, userId: string, failedBefore: number): Promise<void> {
  if (mode === 'slow') return void (await waitUntilStored(userId))
  if (mode === 'hang') await box.waitForHeldCall()
  if (mode === 'hang' && !isFullSize) return
  await vi.waitUntil(() => failedJobs() > failedBefore, 120_000)
}

async function checkFault(fault: Fault): Promise<void> {
  const { client, userId } = await testApp.signedUp()
  const responses = responseTimes()
  const failedBefore = failedJobs()
  await begin(fault)
  const file = newFile(50_000)
  const upload = () => client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
  const { status, body } = await responses.timed(upload)
  const listed = await responses.timed(() => client.call(getDocuments, {}))
  await waitForEffect(fault, userId, failedBefore)
  const reads = [getDocuments, checkAuth, getUserInfo] as const
  const statuses = []
  for (const endpoint of reads) {
    statuses.push((await responses.timed(() => client.call(endpoint, {}))).status)
  }
  await end(fault)
  await waitUntilStored(userId)
  const stored = (await box.files()).filter(({ name }) => name === file.name)
  const versions = stored.flatMap((each) => each.versions)
  const intact = versions.filter(({ sha256 }) => sha256 === hashOf(file.bytes)).length
  const created = await org.rows('Document_Request__c', { Portal_Document_Id__c: body.id })
  const after = await responses.timed(() => client.call(checkAuth, {}))
  figures(`file store ${fault.mode}`, {
    responses: responses.count(),
    'slowest response ms': Math.round(responses.slowestMs()),
    'sign-outs': responses.signOuts(),
    'stored intact': intact,
    'duplicate or damaged': versions.length - intact,
    'in the CRM': created.length,
  })
  headline.sum({
    faults: 1,
    'stored intact': intact,
    'duplicate or damaged': versions.length - intact,
  })
  headline.max({ 'slowest response ms': Math.round(responses.slowestMs()) })
  expect(status).toBe(201)
  // Until Box has the file, it is listed with our own id.
  expect(listed.body).toMatchObject([{ boxFileId: body.id }])
  expect([...statuses, after.status]).toEqual([...reads, checkAuth].map(() => 200))
  expect(stored.map((each) => each.versions.map(({ sha256 }) => sha256))).toEqual([
    [hashOf(file.bytes)],
  ])
  expect(created).toMatchObject([{ Box_File_Id__c: stored[0]!.id }])
  expect(responses.slowestMs()).toBeLessThan(MAX_RESPONSE_MS)
}

it.each(SMALL_SIZE_FAULTS)(
  'an upload during the file store fault $mode is accepted, and afterwards stored once, byte for byte',
  checkFault,
)
it.each(FULL_SIZE_ONLY_FAULTS)(
  'an upload during the file store fault $mode is accepted, and afterwards stored once, byte for byte',
  fullSizeOnly,
  checkFault,
)
