import { getDocumentsOf, NOTE_MAX, replaceDocument } from '@guidon/contract/documents'
import { tooLongText, UNREADABLE_TEXT } from '@guidon/contract/text'
import {
  bootWithDocuments,
  listOf,
  newName,
  newPdf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import { expect, it } from 'vitest'

const { testApp, boxFile, crmDocument, veteran } = await bootWithDocuments()
const staff = await testApp.withSession(await testApp.account('STAFF'))

const NOTE = 'Page 3 is the important one.'
const noteInCrm = async (id: string) => (await crmDocument(id))[0]?.['Note__c']

it('a note is shown to the veteran and to staff, and sent to the CRM', async () => {
  const { client, contactId } = await veteran()
  const { status, body } = await send(client, undefined, { note: `  ${NOTE} ` })
  expect([status, body.note]).toEqual([201, NOTE])
  expect(await listOf(client)).toMatchObject([{ note: NOTE }])
  const seen = await staff.call(getDocumentsOf, { params: { id: contactId } })
  expect(seen.body).toMatchObject([{ note: NOTE }])
  await expect.poll(() => noteInCrm(body.id), WAIT_OPTIONS).toBe(NOTE)
})

it('a note belongs to one file: a new version has its own or none', async () => {
  const { client } = await veteran()
  const { body } = await send(client, undefined, { note: NOTE })
  await boxFile(body.name)
  const replace = (fields: Record<string, string>) =>
    client.upload(
      replaceDocument,
      { name: newName(), bytes: newPdf() },
      { params: { id: body.id }, fields },
    )
  expect((await replace({ note: 'Now with page 2' })).body.note).toBe('Now with page 2')
  await expect.poll(() => noteInCrm(body.id), WAIT_OPTIONS).toBe('Now with page 2')
  expect((await replace({})).body.note).toBeNull()
  await expect.poll(() => noteInCrm(body.id), WAIT_OPTIONS).toBeNull()
  expect((await replace({ note: ' ' })).body.note).toBeNull()
})

it('a note of the longest length in any script is kept as a whole', async () => {
  const { client } = await veteran()
  // Emoji of four bytes in UTF-8 and two units in UTF-16, and decomposed letters, which are composed when stored.
  for (const note of ['\u{1F600}'.repeat(NOTE_MAX / 2), 'e\u0301'.repeat(NOTE_MAX)]) {
    const { status, body } = await send(client, undefined, { note })
    expect([status, body.note]).toEqual([201, note.normalize()])
    await expect.poll(() => noteInCrm(body.id), WAIT_OPTIONS).toBe(note.normalize())
  }
})

it('a note with one character too many, with 64 kB of the longest ones or with unreadable ones is refused', async () => {
  const { client } = await veteran()
  const { body } = await send(client)
  for (const [note, message] of [
    ['x'.repeat(NOTE_MAX + 1), tooLongText(NOTE_MAX)],
    ['\u{1F600}'.repeat(16 * 1024), tooLongText(NOTE_MAX)],
    ['a\0b', UNREADABLE_TEXT],
    ['a\u202eb', UNREADABLE_TEXT],
  ] as const) {
    const refused = { status: 422, body: { fields: { note: message } } }
    expect(await send(client, undefined, { note })).toMatchObject(refused)
    const file = { name: newName(), bytes: newPdf() }
    const options = { params: { id: body.id }, fields: { note } }
    expect(await client.upload(replaceDocument, file, options)).toMatchObject(refused)
  }
  expect(await listOf(client)).toMatchObject([{ note: null }])
})
