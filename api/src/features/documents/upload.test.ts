import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { fileInfected, fileProtected, wrongFileType } from '@guidon/contract/document-refusals'
import { documentExists, getDocumentsOf, NO_CATEGORY_MESSAGE } from '@guidon/contract/documents'
import {
  newName,
  newPdf,
  bootWithDocuments,
  hashOf,
  listOf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import { EICAR } from '@guidon/tests/files/clamd'
import { acroForm, signedPdf } from '@guidon/tests/files/form-pdfs'
import { byQpdf, pdfOf, samplePdf, streamOf } from '@guidon/tests/files/made-pdf'
import { mailbox } from '@guidon/tests/mailbox'
import { describe, expect, it, vi } from 'vitest'

const { testApp, org, boxFile, crmDocument, veteran } = await bootWithDocuments()
const { sql } = testApp
const staff = await testApp.withSession(await testApp.account('STAFF'))

describe('an upload', () => {
  it('responds with the document, and is then stored unchanged in Box and sent to the CRM', async () => {
    const { client, userId, contactId } = await veteran()
    const file = { name: newName(), bytes: newPdf(3_000_000) }
    const { status, body } = await send(client, file)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: file.name,
      type: 'DD Form 214',
      boxFileId: body.id,
      size: file.bytes.length,
      sha256: hashOf(file.bytes),
    })
    const stored = await boxFile(file.name)
    expect(stored.sha256).toBe(hashOf(file.bytes))
    expect(await crmDocument(body.id)).toMatchObject([
      { Veteran__c: contactId, Document_Type__c: 'DD Form 214', Box_File_Id__c: stored.id },
    ])
    expect(await org.rows('Contact', { Box_Folder_Id__c: stored.folderId })).toMatchObject([
      { Id: contactId },
    ])
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toMatchObject([{ boxFileId: stored.id }])
    const { rows } = await sql.query(
      'select from upload_chunks join uploads on id = upload_id where user_id = $1',
      [userId],
    )
    expect(rows).toHaveLength(0)
  })

  it.each([
    ['a form with scripts', acroForm, true],
    ['a signed PDF', signedPdf, false],
  ])('of %s is stored unchanged, and staff see whether it has scripts', async (_, make, has) => {
    const { client, userId, contactId } = await veteran()
    const file = { name: newName(), bytes: make() }
    const { status, body } = await send(client, file)
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('hasScripts')
    expect((await boxFile(file.name)).sha256).toBe(hashOf(file.bytes))
    const seen = await staff.call(getDocumentsOf, { params: { id: contactId } })
    expect(seen.body).toMatchObject([{ name: file.name, hasScripts: has }])
    const { rows } = await sql.query(
      `select details from audit_events where event = 'document_uploaded' and subject_id = $1`,
      [userId],
    )
    expect(rows).toEqual([{ details: has ? { scripts: true } : {} }])
  })

  it('with a name of the maximal length and no extension is stored in Box', async () => {
    const { client } = await veteran()
    const file = { name: `${randomUUID()}${'a'.repeat(255 - 36)}`, bytes: newPdf() }
    const { body } = await send(client, file)
    expect(body.name).toBe(`${file.name.slice(0, 251)}.pdf`)
    expect((await boxFile(body.name)).sha256).toBe(hashOf(file.bytes))
  })

  it('leaves nothing in the temporary folder', async () => {
    const { client } = await veteran()
    await send(client)
    await send(client, { name: 'photo.png', bytes: Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1') })
    expect(await readdir(testApp.config.UPLOAD_DIR)).toEqual([])
  })

  it('for a requested document takes the place of the request', async () => {
    const { client, contactId } = await veteran()
    const requested = await org.staff('request-document', { contactId, type: 'VA Decision Letter' })
    await expect
      .poll(() => listOf(client), WAIT_OPTIONS)
      .toMatchObject([{ id: requested, boxFileId: null }])
    const { status, body } = await send(client, undefined, { documentId: requested })
    expect(status).toBe(201)
    expect(body.boxFileId).toBe(body.id)
    expect(await listOf(client)).toMatchObject([{ id: body.id, boxFileId: expect.any(String) }])
    await expect
      .poll(async () => (await crmDocument(body.id))[0]?.['Id'], WAIT_OPTIONS)
      .toBe(requested)
    expect(await listOf(client)).toHaveLength(1)
  })

  it('that is repeated after a lost response is the same document', async () => {
    const { client } = await veteran()
    const file = { name: newName(), bytes: newPdf() }
    const first = await send(client, file)
    const again = await send(client, file)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.id).toBe(first.body.id)
    expect(await listOf(client)).toHaveLength(1)
  })

  it('of another file with the same name is refused, whatever the case of its letters', async () => {
    const { client } = await veteran()
    await send(client, { name: 'Orders.pdf', bytes: newPdf() })
    expect(await send(client, { name: 'ORDERS.PDF', bytes: newPdf() })).toMatchObject({
      status: 409,
      body: { message: documentExists.message },
    })
  })

  it('of one name by twenty concurrent requests is accepted once', async () => {
    const { client } = await veteran()
    const name = newName()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => send(client, { name, bytes: newPdf() })),
    )
    const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length
    // More than three at a time are refused before they are received.
    expect(count(201)).toBe(1)
    expect(count(409)).toBeGreaterThanOrEqual(2)
    expect(count(409) + count(429)).toBe(19)
  })

  it.each([
    ['a wrong type', async () => Buffer.from('PK\u0003\u0004 not a pdf'), wrongFileType],
    [
      'a password',
      async () => byQpdf(['--encrypt', 'user', 'owner', '256', '--'], samplePdf()),
      fileProtected,
    ],
    [
      'malware',
      async () =>
        pdfOf([
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
          streamOf(EICAR),
        ]),
      fileInfected,
    ],
  ])('with %s is refused, and nothing of it is stored', async (_, make, refusal) => {
    const { client, userId } = await veteran()
    const { status, body } = await send(client, { name: newName(), bytes: await make() })
    expect({ status, message: body.message }).toEqual({
      status: refusal.status,
      message: refusal.message,
    })
    const { rows } = await sql.query('select from uploads where user_id = $1', [userId])
    expect(rows).toHaveLength(0)
  })

  it('is refused at once, but from the fourth refused one in a minute with a delay', async () => {
    const [one, other] = [await veteran(), await veteran()]
    const refusedAfterMs = async ({ client }: typeof one) => {
      const started = performance.now()
      const { status } = await send(client, { name: newName(), bytes: Buffer.from('not a pdf') })
      expect(status).toBe(wrongFileType.status)
      return performance.now() - started
    }
    for (let count = 0; count < 3; count += 1) await refusedAfterMs(one)
    const [fourth, ofOther] = await Promise.all([refusedAfterMs(one), refusedAfterMs(other)])
    expect(fourth).toBeGreaterThanOrEqual(1_000)
    expect(ofOther).toBeLessThan(fourth)
  })

  it('without a category is refused with a message', async () => {
    const { client } = await veteran()
    const { status, body } = await send(client, undefined, { documentType: ' ' })
    expect({ status, fields: body.fields }).toEqual({
      status: 422,
      fields: { documentType: NO_CATEGORY_MESSAGE },
    })
  })

  it("with the id of another veteran's request, or of a request that does not exist, is refused with 404", async () => {
    const [one, other] = [await veteran(), await veteran()]
    const requested = await org.staff('request-document', {
      contactId: other.contactId,
      type: 'DD Form 214',
    })
    await expect.poll(() => listOf(other.client), WAIT_OPTIONS).toHaveLength(1)
    const responses = await Promise.all(
      [requested, '0', 'a0A5g00000ZZZZZAA4'].map((documentId) =>
        send(one.client, undefined, { documentId }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('for a request that staff have added a file to is refused with 404', async () => {
    const { client, contactId } = await veteran()
    const requested = await org.staff('request-document', { contactId, type: 'DD Form 214' })
    await org.staff('change-row', { id: requested, Box_File_Id__c: '987654321' })
    await expect
      .poll(() => listOf(client), WAIT_OPTIONS)
      .toMatchObject([{ id: requested, boxFileId: '987654321' }])
    expect(await send(client, undefined, { documentId: requested })).toMatchObject({ status: 404 })
  })

  it('that is repeated after the CRM has the requested document returns the same document', async () => {
    const { client, contactId } = await veteran()
    const requested = await org.staff('request-document', { contactId, type: 'DD Form 214' })
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toHaveLength(1)
    const file = { name: newName(), bytes: newPdf() }
    const first = await send(client, file, { documentId: requested })
    const isMirrored = async () =>
      (
        await sql.query('select from crm_document where id = $1 and box_file_id is not null', [
          requested,
        ])
      ).rows.length === 1
    await vi.waitUntil(isMirrored, WAIT_OPTIONS)
    const again = await send(client, file, { documentId: requested })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.id).toBe(first.body.id)
  })

  it('is confirmed by one email for several files, which names none of them', async () => {
    const { client, email, userId } = await veteran()
    await send(client, { name: 'Nightmares diagnosis.pdf', bytes: newPdf() })
    await send(client)
    // Send the email now.
    await sql.query(
      `update pgboss.job set start_after = now() where name = 'documents.send-receipt' and data->>'userId' = $1`,
      [userId],
    )
    const receipts = async () =>
      (await mailbox.mailsTo(email)).filter(({ subject }) => subject.includes('received'))
    await expect.poll(receipts, WAIT_OPTIONS).toHaveLength(1)
    const [mail] = await receipts()
    expect(mail!.subject).toBe('Guidon received your 2 documents')
    expect(mail!.text + mail!.html).not.toContain('Nightmares')
  })
})
