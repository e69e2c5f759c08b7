import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { vi } from 'vitest'
import { boot } from './boot.ts'
import { newBox } from './box.ts'
import { samplePdf, streamOf } from './files/made-pdf.ts'
import { newOrg } from './org.ts'
import type { TestClient } from './test-client.ts'

export const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Returns a unique PDF of about this size. */
export const newPdf = (bytes = 2_000) =>
  samplePdf(1, streamOf(randomBytes(bytes).toString('base64')))
export const newName = () => `${randomUUID()}.pdf`
export const newFile = (bytes?: number) => ({ name: newName(), bytes: newPdf(bytes) })

export const send = (client: TestClient, file = newFile(), fields = {}) =>
  client.upload(uploadDocument, file, { fields: { documentType: 'DD Form 214', ...fields } })

export const listOf = async (client: TestClient) => (await client.call(getDocuments, {})).body

/** Starts the app with a Box and a CRM of its own. */
export async function bootWithDocuments() {
  const [box, org] = await Promise.all([newBox(), newOrg()])
  const testApp = await boot({
    environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '1' },
  })

  return {
    testApp,
    box,
    org,
    /** Waits until Box has a file of this name. */
    boxFile: async (name: string) => {
      let found: Awaited<ReturnType<typeof box.files>>[number] | undefined
      await vi.waitUntil(async () => {
        found = (await box.files()).find((file) => file.name === name)
        return found
      }, WAIT_OPTIONS)
      return found!
    },
    crmDocument: (documentId: string) =>
      org.rows<Record<string, string>>('Document_Request__c', {
        Portal_Document_Id__c: documentId,
      }),
    veteran: async () => {
      const { client, ...signedUp } = await testApp.signedUp()
      const [contact] = await org.rows<{ Id: string }>('Contact', {
        Portal_User_Id__c: signedUp.userId,
      })
      return { ...signedUp, client, contactId: contact!.Id }
    },
  }
}
