import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { fileInfected, fileProtected, wrongFileType } from '@guidon/contract/document-refusals'
import {
  documentExists,
  getDocuments,
  getDocumentsOf,
  NO_CATEGORY,
  replaceDocument,
  uploadDocument,
} from '@guidon/contract/documents'
import { describe, expect, it, vi } from 'vitest'
import { boot } from '../../../test/boot.ts'
import { newBox } from '../../../test/box.ts'
import { EICAR } from '../../../test/files/clamd.ts'
import { acroForm, signedPdf, xfaForm } from '../../../test/files/form-pdfs.ts'
import { byQpdf, samplePdf, pdfOf, streamOf } from '../../../test/files/made-pdf.ts'
import { photo } from '../../../test/files/photo.ts'
import { mailbox } from '../../../test/mailbox.ts'
import { newOrg } from '../../../test/org.ts'
import type { TestClient } from '../../../test/test-client.ts'
import { storeDocument } from './store-document.ts'

const [box, org] = await Promise.all([newBox(), newOrg()])
const testApp = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '1' },
})
const { sql } = testApp
const staff = await testApp.signedIn(await testApp.account('STAFF'))

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const SOON = { timeout: 20_000, interval: 100 }

/** A PDF like no other, of about so many bytes. */
const aPdf = (bytes = 2_000) => samplePdf(1, streamOf(randomBytes(bytes).toString('base64')))
const aName = () => `${randomUUID()}.pdf`

const send = (person: TestClient, file = { name: aName(), bytes: aPdf() }, fields = {}) =>
  person.upload(uploadDocument, file, { fields: { documentType: 'DD Form 214', ...fields } })
const listOf = async (person: TestClient) => (await person.call(getDocuments, {})).body
const boxFile = async (name: string) => {
  let found: Awaited<ReturnType<typeof box.files>>[number] | undefined
  await vi.waitUntil(async () => {
    found = (await box.files()).find((file) => file.name === name)
    return found
  }, SOON)
  return found!
}
const crmDocument = (documentId: string) =>
  org.rows<Record<string, string>>('Document_Request__c', { Portal_Document_Id__c: documentId })

async function veteran() {
  const signedUp = await testApp.signedUp()
  const [contact] = await org.rows<{ Id: string }>('Contact', {
    Portal_User_Id__c: signedUp.userId,
  })
  return { ...signedUp, contactId: contact!.Id }
}

describe('an upload', () => {
  it('is accepted with a receipt, then byte for byte in Box and known to the CRM', async () => {
    const { person, userId, contactId } = await veteran()
    const file = { name: aName(), bytes: aPdf(3_000_000) }
    const { status, body } = await send(person, file)
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
    await expect.poll(() => listOf(person), SOON).toMatchObject([{ boxFileId: stored.id }])
    const { rows } = await sql.query(
      'select from upload_chunks join uploads on id = upload_id where user_id = $1',
      [userId],
    )
    expect(rows).toHaveLength(0)
  })

  it.each([
    ['a form with scripts', acroForm, true],
    ['a form of XFA', xfaForm, true],
    ['a signed PDF', signedPdf, false],
  ])('of %s is kept byte for byte, and staff see whether it has scripts', async (_, make, has) => {
    const { person, userId, contactId } = await veteran()
    const file = { name: aName(), bytes: make() }
    const { status, body } = await send(person, file)
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

  it('under a name that is as long as it may be without its ending arrives in Box', async () => {
    const { person } = await veteran()
    const file = { name: `${randomUUID()}${'a'.repeat(255 - 36)}`, bytes: aPdf() }
    const { body } = await send(person, file)
    expect(body.name).toBe(`${file.name.slice(0, 251)}.pdf`)
    expect((await boxFile(body.name)).sha256).toBe(hashOf(file.bytes))
  })

  it('leaves nothing in the temporary folder', async () => {
    const { person } = await veteran()
    await send(person)
    await send(person, { name: 'photo.png', bytes: Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1') })
    expect(await readdir(testApp.config.UPLOAD_DIR)).toEqual([])
  })

  it('answers the document that was asked for, and takes its place', async () => {
    const { person, contactId } = await veteran()
    const asked = await org.staff('request-document', { contactId, type: 'VA Decision Letter' })
    await expect.poll(() => listOf(person), SOON).toMatchObject([{ id: asked, boxFileId: null }])
    const { status, body } = await send(person, undefined, { documentId: asked })
    expect(status).toBe(201)
    expect(await listOf(person)).toMatchObject([{ id: body.id, boxFileId: body.id }])
    await expect.poll(async () => (await crmDocument(body.id))[0]?.['Id'], SOON).toBe(asked)
    expect(await listOf(person)).toHaveLength(1)
  })

  it('again, after a lost answer, is the same document', async () => {
    const { person } = await veteran()
    const file = { name: aName(), bytes: aPdf() }
    const first = await send(person, file)
    const again = await send(person, file)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.id).toBe(first.body.id)
    expect(await listOf(person)).toHaveLength(1)
  })

  it('with other bytes under the same name, in whatever letters, is refused', async () => {
    const { person } = await veteran()
    await send(person, { name: 'Orders.pdf', bytes: aPdf() })
    expect(await send(person, { name: 'ORDERS.PDF', bytes: aPdf() })).toMatchObject({
      status: 409,
      body: { message: documentExists.message },
    })
  })

  it('of twenty at the same moment under one name, one is kept', async () => {
    const { person } = await veteran()
    const name = aName()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(person, { name, bytes: aPdf() })),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    // Beyond three at a time they are not even received.
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
  ])('with %s is refused, and nothing of it is kept', async (_, make, refusal) => {
    const { person, userId } = await veteran()
    const { status, body } = await send(person, { name: aName(), bytes: await make() })
    expect({ status, message: body.message }).toEqual({
      status: refusal.status,
      message: refusal.message,
    })
    const { rows } = await sql.query('select from uploads where user_id = $1', [userId])
    expect(rows).toHaveLength(0)
  })

  it('without a category is refused with the sentence', async () => {
    const { person } = await veteran()
    const { status, body } = await send(person, undefined, { documentType: ' ' })
    expect({ status, fields: body.fields }).toEqual({
      status: 422,
      fields: { documentType: NO_CATEGORY },
    })
  })

  it("for a request that is someone else's, or nobody's, is not found", async () => {
    const [one, other] = [await veteran(), await veteran()]
    const asked = await org.staff('request-document', {
      contactId: other.contactId,
      type: 'DD Form 214',
    })
    await expect.poll(() => listOf(other.person), SOON).toHaveLength(1)
    const answers = await Promise.all(
      [asked, '0', 'a0A5g00000ZZZZZAA4'].map((documentId) =>
        send(one.person, undefined, { documentId }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('for a request that has a file from the staff is not found', async () => {
    const { person, contactId } = await veteran()
    const asked = await org.staff('request-document', { contactId, type: 'DD Form 214' })
    await org.staff('change-row', { id: asked, Box_File_Id__c: '987654321' })
    await expect
      .poll(() => listOf(person), SOON)
      .toMatchObject([{ id: asked, boxFileId: '987654321' }])
    expect(await send(person, undefined, { documentId: asked })).toMatchObject({ status: 404 })
  })

  it('for a request, again after a lost answer, is the same document even when the CRM has it', async () => {
    const { person, contactId } = await veteran()
    const asked = await org.staff('request-document', { contactId, type: 'DD Form 214' })
    await expect.poll(() => listOf(person), SOON).toHaveLength(1)
    const file = { name: aName(), bytes: aPdf() }
    const first = await send(person, file, { documentId: asked })
    const isMirrored = async () =>
      (
        await sql.query('select from crm_document where id = $1 and box_file_id is not null', [
          asked,
        ])
      ).rows.length === 1
    await vi.waitUntil(isMirrored, SOON)
    const again = await send(person, file, { documentId: asked })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body.id).toBe(first.body.id)
  })

  it('is confirmed by one mail a batch, which names no file', async () => {
    const { person, email, userId } = await veteran()
    await send(person, { name: 'Nightmares diagnosis.pdf', bytes: aPdf() })
    await send(person)
    // The batch is over.
    await sql.query(
      `update pgboss.job set start_after = now() where name = 'documents.send-receipt' and data->>'userId' = $1`,
      [userId],
    )
    const of = async () =>
      (await mailbox.mailsTo(email)).filter(({ subject }) => subject.includes('received'))
    await expect.poll(of, SOON).toHaveLength(1)
    const [mail] = await of()
    expect(mail!.subject).toBe('Guidon received your 2 documents')
    expect(mail!.text + mail!.html).not.toContain('Nightmares')
  })
})

describe('a replacement', () => {
  it("is a new version of the same file, by Box's id", async () => {
    const { person } = await veteran()
    const file = { name: aName(), bytes: aPdf() }
    await send(person, file)
    const stored = await boxFile(file.name)
    await expect.poll(() => listOf(person), SOON).toMatchObject([{ boxFileId: stored.id }])
    const bytes = aPdf()
    const { status, body } = await person.upload(
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
      .poll(async () => (await boxFile(file.name)).versions.map(({ sha256 }) => sha256), SOON)
      .toEqual([hashOf(bytes), hashOf(file.bytes)])
    expect(await listOf(person)).toHaveLength(1)
  })

  it('of another kind changes the ending, here, in Box and in the CRM', async () => {
    const { person } = await veteran()
    const file = { name: aName(), bytes: aPdf() }
    const { body: first } = await send(person, file)
    const stored = await boxFile(file.name)
    const bytes = await photo().jpeg().toBuffer()
    const { status, body } = await person.upload(
      replaceDocument,
      { name: 'IMG_1.jpg', bytes },
      { params: { id: first.id } },
    )
    const name = file.name.replace(/pdf$/, 'jpg')
    expect({ status, name: body.name }).toEqual({ status: 200, name })
    expect(await boxFile(name)).toMatchObject({ id: stored.id, sha256: hashOf(bytes) })
    await expect.poll(async () => (await crmDocument(first.id))[0]?.['Name'], SOON).toBe(name)
    await expect.poll(() => listOf(person), SOON).toMatchObject([{ name, boxFileId: stored.id }])
  })

  it('of another kind, whose name another document has, is refused and changes nothing', async () => {
    const { person } = await veteran()
    const bytes = await photo().jpeg().toBuffer()
    const { body } = await send(person, { name: 'Orders.pdf', bytes: aPdf() })
    await send(person, { name: 'orders.JPG', bytes })
    const answer = await person.upload(
      replaceDocument,
      { name: 'new.jpg', bytes },
      { params: { id: body.id } },
    )
    expect(answer).toMatchObject({ status: 409, body: { message: documentExists.message } })
    expect(await listOf(person)).toContainEqual(expect.objectContaining({ sha256: body.sha256 }))
  })

  it("of a provider's file that has no ending gives it one", async () => {
    const { person, contactId, userId } = await veteran()
    const asked = await org.staff('request-document', { contactId, type: 'VA Decision Letter' })
    await expect.poll(() => listOf(person), SOON).toMatchObject([{ id: asked }])
    await sql.query(
      `update crm_document set box_file_id = $2, name = 'Rating decision' where id = $1`,
      [asked, userId],
    )
    const { status, body } = await person.upload(
      replaceDocument,
      { name: 'scan.pdf', bytes: aPdf() },
      { params: { id: userId } },
    )
    expect({ status, name: body.name }).toEqual({ status: 200, name: 'Rating decision.pdf' })
  })

  it('of a file that is still on its way arrives after it', async () => {
    const { person } = await veteran()
    await box.fault({ mode: '500' })
    const file = { name: aName(), bytes: aPdf() }
    const { body } = await send(person, file)
    const bytes = aPdf()
    const answer = await person.upload(
      replaceDocument,
      { name: file.name, bytes },
      { params: { id: body.id } },
    )
    expect(answer.status).toBe(200)
    await box.fault({ mode: 'none' })
    await expect
      .poll(async () => (await boxFile(file.name)).versions.map(({ sha256 }) => sha256), SOON)
      .toEqual([hashOf(bytes), hashOf(file.bytes)])
  })

  it("of someone else's file is not found, and changes nothing", async () => {
    const [one, other] = [await veteran(), await veteran()]
    const file = { name: aName(), bytes: aPdf() }
    const { body } = await send(one.person, file)
    const stored = await boxFile(file.name)
    for (const id of [stored.id, body.id, randomUUID(), 'no id']) {
      const answer = await other.person.upload(
        replaceDocument,
        { name: aName(), bytes: aPdf() },
        { params: { id } },
      )
      expect(answer.status).toBe(404)
    }
    expect((await boxFile(file.name)).versions).toHaveLength(1)
  })
})

describe('at the provider', () => {
  it('a file of the same name that is there already does not cost the veteran theirs', async () => {
    const { person } = await veteran()
    const first = aName()
    await send(person, { name: first, bytes: aPdf() })
    const { folderId } = await boxFile(first)
    const name = aName()
    await box.addFile(folderId, name, aPdf())
    const bytes = aPdf()
    expect((await send(person, { name, bytes })).status).toBe(201)
    await expect
      .poll(async () => (await box.files(folderId)).map(({ sha256 }) => sha256), SOON)
      .toContain(hashOf(bytes))
  })

  it('a folder that is gone is made again', async () => {
    const { person, userId } = await veteran()
    await sql.query(`update users set box_folder_id = '1' where id = $1`, [userId])
    const file = { name: aName(), bytes: aPdf() }
    await send(person, file)
    expect((await boxFile(file.name)).sha256).toBe(hashOf(file.bytes))
  })

  it('a document that is deleted in the CRM is gone from the list, and its name is free', async () => {
    const { person } = await veteran()
    const name = aName()
    const { body } = await send(person, { name, bytes: aPdf() })
    const [row] = await crmDocument(body.id)
    await org.staff('delete-row', { id: row!['Id'] })
    await expect.poll(() => listOf(person), SOON).toEqual([])
    expect((await send(person, { name, bytes: aPdf() })).status).toBe(201)
  })

  it('told twice, Box has one file and one version', async () => {
    const { person, userId } = await veteran()
    const file = { name: aName(), bytes: aPdf() }
    await box.fault({ mode: 'lost-response', path: '/2.0/files/content', times: 1 })
    const { body } = await send(person, file)
    await Promise.all([1, 2].map(() => testApp.send(storeDocument, { documentId: body.id })))
    await vi.waitUntil(async () => {
      const { rows } = await sql.query(
        'select from uploads where user_id = $1 and stored_at is null',
        [userId],
      )
      return rows.length === 0
    }, SOON)
    const named = (await box.files()).filter(({ name }) => name === file.name)
    expect(named.map(({ versions }) => versions.length)).toEqual([1])
  })
})

describe('with hundreds of files waiting', () => {
  it("of one account, another's only file is in the store before the first's tenth", async () => {
    const [many, one] = [await veteran(), await veteran()]
    await testApp.stopWorkers()
    for (let n = 0; n < 20; n += 1) expect((await send(many.person)).status).toBe(201)
    const { body } = await send(one.person)
    await testApp.anotherWorker()
    const stored = async () => {
      const { rows } = await sql.query<{ document_id: string }>(
        'select document_id from uploads where user_id = any($1) and stored_at is not null order by stored_at',
        [[many.userId, one.userId]],
      )
      return rows.map((row) => row.document_id)
    }
    await expect.poll(async () => (await stored()).length, SOON).toBe(21)
    expect((await stored()).indexOf(body.id)).toBeLessThan(10)
  })
})
