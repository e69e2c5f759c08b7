import { boot } from '@guidon/tests/boot'
import { newBox } from '@guidon/tests/box'
import { send } from '@guidon/tests/documents'
import { newOrg } from '@guidon/tests/org'
import { expect, it } from 'vitest'

const [box, org] = await Promise.all([newBox(), newOrg()])
// The mirror never has what the provider changed.
const testApp = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '3600' },
})

const veteran = async () => {
  const { client, userId } = await testApp.signedUp()
  const [contact] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
  return { client, contactId: contact!.Id }
}
const everythingSent = async () => {
  const waiting = async () => ({
    files: (await testApp.admin.files.status()).waiting,
    entries: (await testApp.admin.crm.status()).outbox.waiting,
  })
  await expect.poll(waiting).toEqual({ files: 0, entries: 0 })
}
const folderOf = async (contactId: string) => {
  const [contact] = await org.rows<{ Box_Folder_Id__c: string | null }>('Contact', {
    Id: contactId,
  })
  return contact!.Box_Folder_Id__c
}

it('sends the folder of the veteran after the first documents', async () => {
  const { client, contactId } = await veteran()
  const uploads = await Promise.all([send(client), send(client)])
  expect(uploads.map(({ status }) => status)).toEqual([201, 201])
  await everythingSent()
  const [file] = await box.files()
  expect(await folderOf(contactId)).toBe(file!.folderId)
  expect(await org.rows('Document_Request__c', { Veteran__c: contactId })).toHaveLength(2)
})

it('keeps a folder that the provider has set, even if the mirror does not have it yet', async () => {
  const { client, contactId } = await veteran()
  await org.staff('edit-contact', { contactId, Box_Folder_Id__c: '77' })
  await send(client)
  await everythingSent()
  expect(await folderOf(contactId)).toBe('77')
  expect(await org.rows('Document_Request__c', { Veteran__c: contactId })).toHaveLength(1)
})
