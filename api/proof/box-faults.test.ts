import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { checkAuth } from '@guidon/contract/auth'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import type { Fault } from '@guidon/sandbox/box/faults'
import { expect, it, vi } from 'vitest'
import { boot } from '../test/boot.ts'
import { newBox } from '../test/box.ts'
import { samplePdf, streamOf } from '../test/files/made-pdf.ts'
import { newOrg } from '../test/org.ts'
import { figures, size } from './size.ts'

const ANSWERS_WITHIN_MS = 9_000
const FAULTS: readonly Fault[] = [
  { mode: 'down' },
  { mode: 'lost-response' },
  { mode: '429' },
  { mode: 'hang' },
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

const aFile = () => ({
  name: `${randomUUID()}.pdf`,
  bytes: samplePdf(1, streamOf(randomBytes(50_000).toString('base64'))),
})
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const failedJobs = () => testApp.logged().split('"msg":"job failed"').length

/** Only an outage that was met proves anything. */
async function felt({ mode }: Fault, failedBefore: number): Promise<void> {
  if (mode === 'hang') await box.holding()
  else if (mode !== 'slow') await vi.waitUntil(() => failedJobs() > failedBefore, 15_000)
}

it.each(FAULTS.slice(0, size(4, FAULTS.length)))(
  'while the file store is $mode an upload is accepted, and afterwards it is there once, byte for byte',
  async (fault) => {
    const { person, userId } = await testApp.signedUp()
    const failedBefore = failedJobs()
    await box.fault(fault)
    const file = aFile()
    const started = performance.now()
    const { status, body } = await person.upload(uploadDocument, file, {
      fields: { documentType: 'Other' },
    })
    const answered = performance.now() - started
    expect(status).toBe(201)
    expect((await person.call(getDocuments, {})).body).toMatchObject([{ boxFileId: body.id }])
    await felt(fault, failedBefore)
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
    const there = (await box.files()).filter(({ name }) => name === file.name)
    expect(there.map(({ versions }) => versions.map(({ sha256 }) => sha256))).toEqual([
      [hashOf(file.bytes)],
    ])
    const told = await org.rows('Document_Request__c', { Portal_Document_Id__c: body.id })
    expect(told).toMatchObject([{ Box_File_Id__c: there[0]!.id }])
    expect((await person.call(checkAuth, {})).status).toBe(200)
    figures(`file store ${fault.mode}`, {
      'answer ms': Math.round(answered),
      'missing, double or damaged': 0,
    })
    expect(answered).toBeLessThan(ANSWERS_WITHIN_MS)
  },
)
