import { replaceDocument } from '@guidon/contract/documents'
import {
  newName,
  newPdf,
  bootWithDocuments,
  hashOf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import { describe, expect, it, vi } from 'vitest'
import { storeDocument } from './store-document.ts'

const { testApp, box, boxFile, veteran } = await bootWithDocuments()
const { sql } = testApp

describe('storing a document', () => {
  it('succeeds when Box has another file of the same name', async () => {
    const { client } = await veteran()
    const first = newName()
    await send(client, { name: first, bytes: newPdf() })
    const { folderId } = await boxFile(first)
    const name = newName()
    await box.addFile(folderId, name, newPdf())
    const bytes = newPdf()
    expect((await send(client, { name, bytes })).status).toBe(201)
    await expect
      .poll(async () => (await box.files(folderId)).map(({ sha256 }) => sha256), WAIT_OPTIONS)
      .toContain(hashOf(bytes))
  })

  it('claims the document while its file is being sent', async () => {
    const { client } = await veteran()
    const file = { name: newName(), bytes: newPdf() }
    await box.fault({ mode: 'hang' })
    const { body } = await send(client, file)
    await box.waitForHeldCall()
    const { rows } = await sql.query(
      'select claimed_until > now() as claimed from documents where id = $1',
      [body.id],
    )
    expect(rows).toEqual([{ claimed: true }])
    await box.fault({ mode: 'none' })
    expect((await boxFile(file.name)).sha256).toBe(hashOf(file.bytes))
  })

  it('does not wait for an earlier file of the document that Box refused', async () => {
    const { client } = await veteran()
    await testApp.stopWorkers()
    const { body } = await send(client, { name: newName(), bytes: newPdf() })
    await sql.query(
      `update uploads set refused_at = now(), refusal = 'item_name_invalid' where document_id = $1`,
      [body.id],
    )
    const bytes = newPdf()
    await client.upload(replaceDocument, { name: 'again.pdf', bytes }, { params: { id: body.id } })
    await testApp.startWorker()
    expect(await boxFile(body.name)).toMatchObject({ sha256: hashOf(bytes), versions: [{}] })
  })

  it('more than once leaves one file with one version in Box', async () => {
    const { client, userId } = await veteran()
    const file = { name: newName(), bytes: newPdf() }
    await box.fault({ mode: 'lost-response', path: '/2.0/files/content', times: 1 })
    const { body } = await send(client, file)
    await Promise.all([1, 2].map(() => testApp.send(storeDocument, { documentId: body.id })))
    await vi.waitUntil(async () => {
      const { rows } = await sql.query(
        'select from uploads where user_id = $1 and stored_at is null',
        [userId],
      )
      return rows.length === 0
    }, WAIT_OPTIONS)
    const named = (await box.files()).filter(({ name }) => name === file.name)
    expect(named.map(({ versions }) => versions.length)).toEqual([1])
  })
})

describe('with many files of one account waiting', () => {
  it("the only file of another account is stored before the first account's tenth", async () => {
    const [many, one] = [await veteran(), await veteran()]
    await testApp.stopWorkers()
    for (let n = 0; n < 20; n += 1) expect((await send(many.client)).status).toBe(201)
    const { body } = await send(one.client)
    await testApp.startWorker()
    const stored = async () => {
      const { rows } = await sql.query<{ document_id: string }>(
        'select document_id from uploads where user_id = any($1) and stored_at is not null order by stored_at',
        [[many.userId, one.userId]],
      )
      return rows.map((row) => row.document_id)
    }
    await expect.poll(async () => (await stored()).length, WAIT_OPTIONS).toBe(21)
    expect((await stored()).indexOf(body.id)).toBeLessThan(10)
  })
})
