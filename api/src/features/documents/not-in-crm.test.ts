import { getDocumentsOf, replaceDocument } from '@guidon/contract/documents'
import {
  bootWithDocuments,
  listOf,
  newFile,
  newPdf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import type { TestClient } from '@guidon/tests/test-client'
import { expect, it } from 'vitest'

const { testApp, box, org, boxFile, crmDocument, veteran } = await bootWithDocuments()
const staff = await testApp.withSession(await testApp.account('STAFF'))

const seenByOwner = async (client: TestClient) =>
  (await listOf(client)).map(({ name, status }) => [name, status])
const seenByStaff = async (contactId: string) => {
  const { body } = await staff.call(getDocumentsOf, { params: { id: contactId } })
  return body.map(({ name, status, notInCrm }) => [name, status, notInCrm])
}

it('a file that Salesforce refused says so to both, until it is sent again', async () => {
  const { client, userId, contactId } = await veteran()
  const [first, second] = [newFile(), newFile()]
  await org.staff('edit-contact', { contactId, Portal_User_Id__c: '' })
  await send(client, first)
  await expect.poll(() => seenByOwner(client), WAIT_OPTIONS).toEqual([[first.name, 'delayed']])
  await send(client, second)
  await expect
    .poll(() => seenByOwner(client), WAIT_OPTIONS)
    .toEqual([
      [second.name, 'delayed'],
      [first.name, 'delayed'],
    ])
  const refusal = { kind: 'document', code: 'INVALID_FIELD' }
  expect(await seenByStaff(contactId)).toEqual([
    [second.name, 'delayed', { why: 'blocked', refusal }],
    [first.name, 'delayed', { why: 'refused', refusal }],
  ])
  expect(JSON.stringify(await listOf(client))).not.toContain('INVALID_FIELD')

  // Salesforce is not reached yet: until it has the file, it is not in the records.
  await org.staff('edit-contact', { contactId, Portal_User_Id__c: userId })
  await org.fault({ mode: 'down' })
  await testApp.admin.crm.sendAgain()
  expect(await seenByOwner(client)).toEqual([
    [second.name, 'received'],
    [first.name, 'received'],
  ])
  await org.fault({ mode: 'none' })
  await expect
    .poll(() => seenByStaff(contactId), WAIT_OPTIONS)
    .toEqual([
      [second.name, 'inRecords', null],
      [first.name, 'inRecords', null],
    ])
})

it('a file that Box has stays in both lists, whatever happens to its row', async () => {
  const [one, other] = [await veteran(), await veteran()]
  const { client, contactId } = one
  const [deleted, moved] = [newFile(), newFile()]
  const sent = [(await send(client, deleted)).body, (await send(client, moved)).body]
  const [deletedRow, movedRow] = await Promise.all(
    sent.map(async ({ id }) => (await crmDocument(id))[0]!['Id']!),
  )
  const mirrored = async () =>
    (await testApp.sql.query('select from crm_document where contact_id = $1', [contactId]))
      .rowCount
  await expect.poll(mirrored, WAIT_OPTIONS).toBe(2)
  await org.staff('delete-row', { id: deletedRow })
  await org.staff('change-row', { id: movedRow, Veteran__c: other.contactId })
  await expect
    .poll(() => seenByStaff(contactId), WAIT_OPTIONS)
    .toEqual([
      [moved.name, 'received', { why: 'moved', refusal: null }],
      [deleted.name, 'received', { why: 'deleted', refusal: null }],
    ])
  expect(await seenByOwner(client)).toEqual([
    [moved.name, 'received'],
    [deleted.name, 'received'],
  ])
  expect(await seenByOwner(other.client)).toEqual([])

  // Its name stays taken, and a new version is in the CRM again.
  expect((await send(client, { name: deleted.name, bytes: newPdf() })).status).toBe(409)
  const { boxFileId } = (await listOf(client)).find(({ name }) => name === deleted.name)!
  await client.upload(replaceDocument, newFile(), { params: { id: boxFileId! } })
  await expect
    .poll(
      async () => (await seenByOwner(client)).find(([name]) => name === deleted.name),
      WAIT_OPTIONS,
    )
    .toEqual([deleted.name, 'inRecords'])
  expect((await boxFile(deleted.name)).versions).toHaveLength(2)
  expect(await box.files()).toHaveLength(4)
})

it('a file stays in both lists when the contact is deleted, and says that it is not in the records', async () => {
  const { client, contactId } = await veteran()
  const file = newFile()
  await send(client, file)
  await expect.poll(() => seenByOwner(client), WAIT_OPTIONS).toEqual([[file.name, 'inRecords']])
  await org.staff('delete-row', { id: contactId })
  await expect.poll(() => seenByOwner(client), WAIT_OPTIONS).toEqual([[file.name, 'delayed']])
  expect(await seenByStaff(contactId)).toEqual([
    [file.name, 'delayed', { why: 'needsLink', refusal: null }],
  ])
})
