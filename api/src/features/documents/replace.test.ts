import { randomUUID } from 'node:crypto'
import { documentExists, replaceDocument } from '@guidon/contract/documents'
import {
  newName,
  newPdf,
  bootWithDocuments,
  hashOf,
  listOf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import { photo } from '@guidon/tests/files/photo'
import { describe, expect, it } from 'vitest'

const { box, org, boxFile, crmDocument, veteran } = await bootWithDocuments()

describe('a replacement', () => {
  it('is a new version of the same file in Box', async () => {
    const { client } = await veteran()
    const file = { name: newName(), bytes: newPdf() }
    await send(client, file)
    const stored = await boxFile(file.name)
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toMatchObject([{ boxFileId: stored.id }])
    const bytes = newPdf()
    const { status, body } = await client.upload(
      replaceDocument,
      { name: 'other name.pdf', bytes },
      { params: { id: stored.id } },
    )
    expect({ status, name: body.name, sha256: body.sha256 }).toEqual({
      status: 200,
      name: file.name,
      sha256: hashOf(bytes),
    })
    await expect
      .poll(
        async () => (await boxFile(file.name)).versions.map(({ sha256 }) => sha256),
        WAIT_OPTIONS,
      )
      .toEqual([hashOf(bytes), hashOf(file.bytes)])
    expect(await listOf(client)).toHaveLength(1)
  })

  it('of another kind changes the extension in the portal, in Box and in the CRM', async () => {
    const { client } = await veteran()
    const file = { name: newName(), bytes: newPdf() }
    const { body: first } = await send(client, file)
    const stored = await boxFile(file.name)
    const bytes = await photo().jpeg().toBuffer()
    const { status, body } = await client.upload(
      replaceDocument,
      { name: 'IMG_1.jpg', bytes },
      { params: { id: first.id } },
    )
    const name = file.name.replace(/pdf$/, 'jpg')
    expect({ status, name: body.name }).toEqual({ status: 200, name })
    expect(await boxFile(name)).toMatchObject({ id: stored.id, sha256: hashOf(bytes) })
    await expect
      .poll(async () => (await crmDocument(first.id))[0]?.['Name'], WAIT_OPTIONS)
      .toBe(name)
    await expect
      .poll(() => listOf(client), WAIT_OPTIONS)
      .toMatchObject([{ name, boxFileId: stored.id }])
  })

  it('of another kind is refused if another document has the new name', async () => {
    const { client } = await veteran()
    const bytes = await photo().jpeg().toBuffer()
    const { body } = await send(client, { name: 'Orders.pdf', bytes: newPdf() })
    await send(client, { name: 'orders.JPG', bytes })
    const response = await client.upload(
      replaceDocument,
      { name: 'new.jpg', bytes },
      { params: { id: body.id } },
    )
    expect(response).toMatchObject({ status: 409, body: { message: documentExists.message } })
    expect(await listOf(client)).toContainEqual(expect.objectContaining({ sha256: body.sha256 }))
  })

  it("of a provider's file without an extension adds one", async () => {
    const { client, contactId } = await veteran()
    const id = await org.staff('request-document', { contactId, type: 'VA Decision Letter' })
    const boxFileId = randomUUID()
    await org.staff('change-row', { id, Name: 'Rating decision', Box_File_Id__c: boxFileId })
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toMatchObject([{ boxFileId }])
    const { status, body } = await client.upload(
      replaceDocument,
      { name: 'scan.pdf', bytes: newPdf() },
      { params: { id: boxFileId } },
    )
    expect({ status, name: body.name }).toEqual({ status: 200, name: 'Rating decision.pdf' })
  })

  it('of a file that is not in Box yet is stored after it', async () => {
    const { client } = await veteran()
    await box.fault({ mode: '500' })
    const file = { name: newName(), bytes: newPdf() }
    const { body } = await send(client, file)
    const bytes = newPdf()
    const response = await client.upload(
      replaceDocument,
      { name: file.name, bytes },
      { params: { id: body.id } },
    )
    expect(response.status).toBe(200)
    await box.fault({ mode: 'none' })
    await expect
      .poll(
        async () => (await boxFile(file.name)).versions.map(({ sha256 }) => sha256),
        WAIT_OPTIONS,
      )
      .toEqual([hashOf(bytes), hashOf(file.bytes)])
  })

  it("of another veteran's file is refused with 404, and changes nothing", async () => {
    const [one, other] = [await veteran(), await veteran()]
    const file = { name: newName(), bytes: newPdf() }
    const { body } = await send(one.client, file)
    const stored = await boxFile(file.name)
    for (const id of [stored.id, body.id, randomUUID(), 'no id']) {
      const response = await other.client.upload(
        replaceDocument,
        { name: newName(), bytes: newPdf() },
        { params: { id } },
      )
      expect(response.status).toBe(404)
    }
    expect((await boxFile(file.name)).versions).toHaveLength(1)
  })
})
