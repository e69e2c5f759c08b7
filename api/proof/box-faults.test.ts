import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { checkAuth } from '@guidon/contract/auth'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import type { Fault } from '@guidon/sandbox/box/faults'
import { expect, it, vi } from 'vitest'
import { boot } from '../test/boot.ts'
import { newBox } from '../test/box.ts'
import { samplePdf, streamOf } from '../test/files/made-pdf.ts'
import { newOrg } from '../test/org.ts'
import { figures, fullSizeOnly, timeLimit } from './size.ts'

const MAX_RESPONSE_MS = timeLimit(9_000)
const GATE_FAULTS: readonly Fault[] = [{ mode: 'down' }, { mode: 'hang' }]
const FULL_SIZE_ONLY_FAULTS: readonly Fault[] = [
  { mode: 'lost-response' },
  { mode: '429' },
  { mode: '500' },
  { mode: '503' },
  { mode: 'expired-token' },
  { mode: 'truncated' },
  { mode: 'slow', delayMs: 4_000 },
]

const [box, org] = await Promise.all([newBox(), newOrg()])
const testApp = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '3600' },
})

const newFile = () => ({
  name: `${randomUUID()}.pdf`,
  bytes: samplePdf(1, streamOf(randomBytes(50_000).toString('base64'))),
})
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const failedJobs = () => testApp.logged().split('"msg":"jobs: job failed"').length - 1

/** Waits until a job has failed or a call is held, else the test would prove nothing. A slow Box fails no job. */
async function waitForEffect({ mode }: Fault, failedBefore: number): Promise<void> {
  if (mode === 'hang') await box.waitForHeldCall()
  else if (mode !== 'slow') await vi.waitUntil(() => failedJobs() > failedBefore, 60_000)
}

async function checkFault(fault: Fault): Promise<void> {
  const { client, userId } = await testApp.signedUp()
  const failedBefore = failedJobs()
  await box.fault(fault)
  const file = newFile()
  const started = performance.now()
  const { status, body } = await client.upload(uploadDocument, file, {
    fields: { documentType: 'Other' },
  })
  const responseMs = performance.now() - started
  expect(status).toBe(201)
  // Until Box has the file, it is listed with our own id.
  expect((await client.call(getDocuments, {})).body).toMatchObject([{ boxFileId: body.id }])
  await waitForEffect(fault, failedBefore)
  await box.fault({ mode: 'none' })

  await expect
    .poll(
      async () => {
        const { rows } = await testApp.sql.query(
          `select from uploads where user_id = $1 and stored_at is null union all
           select from crm_outbox where user_id = $1 and sent_at is null`,
          [userId],
        )
        return rows.length
      },
      { timeout: 110_000, interval: 200 },
    )
    .toBe(0)
  const stored = (await box.files()).filter(({ name }) => name === file.name)
  expect(stored.map(({ versions }) => versions.map(({ sha256 }) => sha256))).toEqual([
    [hashOf(file.bytes)],
  ])
  const created = await org.rows('Document_Request__c', { Portal_Document_Id__c: body.id })
  expect(created).toMatchObject([{ Box_File_Id__c: stored[0]!.id }])
  expect((await client.call(checkAuth, {})).status).toBe(200)
  figures(`file store ${fault.mode}`, {
    'response ms': Math.round(responseMs),
    'missing, duplicate or damaged': 0,
  })
  expect(responseMs).toBeLessThan(MAX_RESPONSE_MS)
}

it.each(GATE_FAULTS)(
  'an upload during the file store fault $mode is accepted, and afterwards stored once, byte for byte',
  checkFault,
)
it.each(FULL_SIZE_ONLY_FAULTS)(
  'an upload during the file store fault $mode is accepted, and afterwards stored once, byte for byte',
  fullSizeOnly(
    'api/src/files/box/box-files.test.ts, api/src/features/documents/store-document.test.ts',
  ),
  checkFault,
)
