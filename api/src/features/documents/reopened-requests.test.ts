import { databaseAt } from '@guidon/tests/databases'
import { bootWithDocuments, listOf, send, WAIT_OPTIONS } from '@guidon/tests/documents'
import { describe, expect, it } from 'vitest'
import { upsertRows } from '../../crm/mirror/rows.sql.ts'
import { countOpenRequests, setCrmId } from './documents.sql.ts'

const { testApp, org, crmDocument, veteran } = await bootWithDocuments()
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 2)

const TYPE = 'Decision letter'
const REQUEST = { name: 'VA Decision Letter', type: TYPE }

const mirroredFile = async (requestId: string): Promise<string | null> => {
  const { rows } = await sql.query('select box_file_id from crm_document where id = $1', [
    requestId,
  ])
  return rows[0]?.box_file_id ?? null
}

/** Returns a veteran who answered a request, once the mirror has the answer. */
async function answeredRequest() {
  const one = await veteran()
  const { contactId, client } = one
  const requestId = await org.staff('request-document', { contactId, ...REQUEST })
  await expect.poll(() => listOf(client), WAIT_OPTIONS).toHaveLength(1)
  const { body: document } = await send(client, undefined, { documentType: TYPE })
  expect(document.request?.id).toBe(requestId)
  await expect.poll(() => mirroredFile(requestId), WAIT_OPTIONS).not.toBeNull()
  return { ...one, requestId, document }
}

const removeFile = (id: string) => org.staff('change-row', { id, Box_File_Id__c: null })

describe('a request whose file staff removed in the CRM', () => {
  it('is open again, and the file stays listed as a document of the veteran', async () => {
    const { client, userId, requestId, document } = await answeredRequest()
    expect(await countOpenRequests(db, userId)).toBe(0)
    await removeFile(requestId)
    await expect
      .poll(() => listOf(client), WAIT_OPTIONS)
      .toMatchObject([
        { id: requestId, boxFileId: null },
        { id: document.id, name: document.name, request: null },
      ])
    expect(await countOpenRequests(db, userId)).toBe(1)
  })

  it.each([
    ['by its category', () => ({ documentType: TYPE })],
    ['by its id', (documentId: string) => ({ documentType: TYPE, documentId })],
  ])('is answered again by a new upload, %s', async (_, fields) => {
    const { client, requestId, document } = await answeredRequest()
    await removeFile(requestId)
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toHaveLength(2)
    const { body: second } = await send(client, undefined, fields(requestId))
    expect(second.request?.id).toBe(requestId)
    await expect
      .poll(async () => (await crmDocument(second.id))[0]?.['Id'], WAIT_OPTIONS)
      .toBe(requestId)
    await expect.poll(() => mirroredFile(requestId), WAIT_OPTIONS).not.toBeNull()
    const listed = await listOf(client)
    expect(listed.map(({ id }) => id).toSorted()).toEqual([document.id, second.id].toSorted())
    expect(listed.every(({ boxFileId }) => boxFileId !== null)).toBe(true)
  })
})

describe('an answered request', () => {
  const rowOf = (id: string, contactId: string, at: string, boxFileId: string | null) => ({
    id,
    modifiedAt: at,
    deleted: false,
    contactId,
    portalDocumentId: null,
    ...REQUEST,
    boxFileId,
    lastUploadedAt: null,
    dueDate: null,
    reason: null,
    status: null,
    statusReason: null,
  })

  it('stays answered when the mirror stores a row that is not newer than the answer', async () => {
    const { client, contactId, requestId, document } = await answeredRequest()
    const { rows } = await sql.query('select modified_at from crm_document where id = $1', [
      requestId,
    ])
    const at = new Date(rows[0].modified_at).getTime()
    for (const age of [60_000, 0]) {
      const older = new Date(at - age).toISOString()
      await upsertRows(db, 'document', [rowOf(requestId, contactId, older, null)])
      expect(await listOf(client)).toMatchObject([
        { id: document.id, request: { id: requestId, name: REQUEST.name } },
      ])
    }
  })

  it('stays answered while the answer is on its way, whatever else staff change', async () => {
    const { client, contactId } = await veteran()
    await org.fault({ mode: '500', match: 'PATCH' })
    const id = await org.staff('request-document', { contactId, ...REQUEST })
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toHaveLength(1)
    const { body } = await send(client, undefined, { documentType: TYPE })
    await org.staff('change-row', { id, Name: 'Renamed' })
    const renamed = async () =>
      (await sql.query(`select from crm_document where id = $1 and name = 'Renamed'`, [id]))
        .rowCount
    await expect.poll(renamed, WAIT_OPTIONS).toBe(1)
    expect(await listOf(client)).toMatchObject([{ id: body.id, request: { id } }])
    await org.fault({ mode: 'none' })
  })
})

it('an earlier answer that is sent once more does not take the request from the new answer', async () => {
  const { client, requestId, document } = await answeredRequest()
  await removeFile(requestId)
  await expect.poll(() => listOf(client), WAIT_OPTIONS).toHaveLength(2)
  const { body: second } = await send(client, undefined, { documentType: TYPE })
  await db.transaction().execute((tx) => setCrmId(tx, document.id, requestId))
  const { rows } = await sql.query('select id from documents where crm_id = $1', [requestId])
  expect(rows).toEqual([{ id: second.id }])
})
