import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { fileTooLarge, wrongFileType } from '@guidon/contract/document-refusals'
import { NO_CATEGORY } from '@guidon/contract/documents'
import { pathOf } from '@guidon/contract/endpoint'
import { notFound } from '@guidon/contract/refusal'
import {
  appendToUpload,
  CHUNK_BYTES,
  createUpload,
  getUnfinishedUploads,
  getUploadOffset,
  PART_MAX_BYTES,
  partTooLarge,
  tooManyUnfinished,
  uploadIncomplete,
  wrongOffset,
} from '@guidon/contract/resumable-uploads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  bootWithDocuments,
  hashOf,
  listOf,
  newName,
  newPdf,
  send,
  WAIT_OPTIONS,
} from '../../../test/documents.ts'
import { mailbox } from '../../../test/mailbox.ts'
import {
  append,
  create,
  finish,
  idOf,
  offsetOf,
  partHeaders,
  remove,
  sendInParts,
  TUS,
} from '../../../test/resumable.ts'
import { expireUploads } from './expire-uploads.ts'

const { testApp, boxFile, veteran } = await bootWithDocuments()
const { sql, base, config } = testApp

/** Most tests share one account, whose unfinished uploads each test removes. */
const owner = await veteran()
const { client } = owner
afterEach(() => sql.query('delete from unfinished_uploads'))

const refused = ({ status, code }: { status: number; code: string }) => ({ status, body: { code } })
const countRows = async (table: string, id: string) =>
  (
    await sql.query(
      `select from ${table} where ${table === 'upload_chunks' ? 'upload_id' : 'id'} = $1`,
      [id],
    )
  ).rowCount

/** Sends the head of a part and some of its bytes, and closes the connection without its end. */
async function cutOff(id: string, offset: number, bytes: Buffer, declared: number) {
  const sent = request(base + pathOf(appendToUpload, { id }), {
    method: 'PATCH',
    agent: false,
    headers: {
      ...partHeaders(offset),
      origin: config.PUBLIC_URL,
      cookie: [...client.cookies].map((pair) => pair.join('=')).join('; '),
      'content-length': declared,
    },
  })
  const closed = new Promise((resolve) => sent.on('error', resolve).once('close', resolve))
  sent.write(bytes, () => sent.destroy())
  await closed
}

describe('an upload in parts', () => {
  it('becomes the same document as one in a single request, whole in Box', async () => {
    const name = newName()
    const bytes = newPdf(7_000_000)
    const created = await create(client, bytes.length, {
      filename: name,
      documentType: 'DD Form 214',
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('tus-resumable')).toBe('1.0.0')
    expect(Date.parse(created.headers.get('upload-expires')!)).toBeGreaterThan(
      Date.now() + 23 * 3_600_000,
    )
    const id = idOf(created)
    const half = bytes.subarray(0, 3_500_000)
    const first = await append(client, id, 0, half)
    expect(first.status).toBe(204)
    expect(first.headers.get('upload-offset')).toBe('3500000')
    expect(await finish(client, id)).toMatchObject(refused(uploadIncomplete))
    const offset = await client.call(getUploadOffset, { params: { id }, headers: TUS })
    expect(offset.status).toBe(200)
    expect(offset.headers.get('upload-offset')).toBe('3500000')
    expect(offset.headers.get('upload-length')).toBe(String(bytes.length))
    expect(offset.headers.get('cache-control')).toBe('no-store')
    await append(client, id, half.length, bytes.subarray(half.length))
    const { status, body } = await finish(client, id)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name,
      type: 'DD Form 214',
      size: bytes.length,
      sha256: hashOf(bytes),
    })
    expect((await boxFile(name)).sha256).toBe(hashOf(bytes))
    const { rows } = await sql.query(
      `select from audit_events where event = 'document_uploaded' and subject_id = $1`,
      [owner.userId],
    )
    expect(rows).toHaveLength(1)
    expect(await readdir(config.UPLOAD_DIR)).toEqual([])
  })

  it('is listed with what is stored of it until it is finished, also in a new session', async () => {
    const account = await testApp.account()
    const first = await testApp.signedIn(account)
    const bytes = newPdf(2_000_000)
    const id = idOf(await create(first, bytes.length, { filename: 'rating.pdf' }))
    const part = bytes.subarray(0, CHUNK_BYTES + 5)
    await append(first, id, 0, part)
    const [mail] = await mailbox.mailsTo(account.email, { waitMs: 0 })
    const later = await testApp.signedIn(account, mail)
    const { body } = await later.call(getUnfinishedUploads, {})
    expect(body).toEqual([
      {
        id,
        name: 'rating.pdf',
        size: bytes.length,
        offset: part.length,
        expiresAt: expect.stringMatching(/Z$/),
        documentType: 'Other',
        documentId: null,
        replaces: null,
        chunks: [hashOf(part.subarray(0, CHUNK_BYTES)), hashOf(part.subarray(CHUNK_BYTES))],
      },
    ])
    await append(later, id, part.length, bytes.subarray(part.length))
    expect((await finish(later, id)).status).toBe(201)
    expect((await later.call(getUnfinishedUploads, {})).body).toEqual([])
  })

  it('replaces a document', async () => {
    const { body: document } = await send(client)
    const bytes = newPdf()
    const id = await sendInParts(client, bytes, { replaces: document.id })
    const { status, body } = await finish(client, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: document.id, sha256: hashOf(bytes) })
    expect(await finish(client, id)).toMatchObject({ status: 200, body: { sha256: hashOf(bytes) } })
    const { rows } = await sql.query('select from uploads where document_id = $1', [document.id])
    expect(rows).toHaveLength(2)
  })

  it('that a later upload overtook is stored in the order in which they were finished', async () => {
    const { body: document } = await send(client)
    const bytes = newPdf()
    const id = await sendInParts(client, bytes, { replaces: document.id })
    const other = await sendInParts(client, newPdf(), { replaces: document.id })
    await finish(client, other)
    await finish(client, id)
    const stored = await boxFile(document.name)
    await expect
      .poll(async () => (await boxFile(document.name)).sha256, WAIT_OPTIONS)
      .toBe(hashOf(bytes))
    expect(stored.name).toBe(document.name)
  })
})

describe('a part', () => {
  it('whose connection is lost keeps what has arrived', async () => {
    const bytes = newPdf(6_000_000)
    const id = idOf(await create(client, bytes.length))
    let at = 0
    for (const length of [100, 70_000, CHUNK_BYTES, 2_500_000]) {
      await cutOff(id, at, bytes.subarray(at, at + length), bytes.length - at)
      await expect.poll(() => offsetOf(client, id), WAIT_OPTIONS).toBeGreaterThan(at)
      // What arrives after the first piece may be stored a moment later.
      await vi.waitFor(async () => {
        at = (await offsetOf(client, id))!
        const { status } = await append(client, id, at, bytes.subarray(at, at + 1))
        expect(status).toBe(204)
        at += 1
      }, WAIT_OPTIONS)
    }
    for (; at < bytes.length; at += PART_MAX_BYTES) {
      expect((await append(client, id, at, bytes.subarray(at, at + PART_MAX_BYTES))).status).toBe(
        204,
      )
    }
    expect((await finish(client, id)).body).toMatchObject({ sha256: hashOf(bytes) })
  })

  it.each([
    ['before the stored bytes', 99],
    ['after the stored bytes', 101],
    ['after the end', 10_000_000],
  ])('that starts %s is refused', async (_, offset) => {
    const id = idOf(await create(client, 200))
    await append(client, id, 0, Buffer.alloc(100))
    expect(await append(client, id, offset, Buffer.alloc(10))).toMatchObject(refused(wrongOffset))
    expect(await offsetOf(client, id)).toBe(100)
  })

  it('larger than the limit or than the rest of the file is refused before it is read', async () => {
    const id = idOf(await create(client, PART_MAX_BYTES + 100))
    const tooLarge = refused(partTooLarge)
    expect(await append(client, id, 0, Buffer.alloc(PART_MAX_BYTES + 1))).toMatchObject(tooLarge)
    expect((await append(client, id, 0, Buffer.alloc(PART_MAX_BYTES))).status).toBe(204)
    expect(await append(client, id, PART_MAX_BYTES, Buffer.alloc(101))).toMatchObject(tooLarge)
    expect(await offsetOf(client, id)).toBe(PART_MAX_BYTES)
  })

  it('is stored once if two requests send it at the same time', async () => {
    const bytes = newPdf(5_000_000)
    const id = idOf(await create(client, bytes.length))
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + 2 * CHUNK_BYTES)
      await Promise.all([append(client, id, at, part), append(client, id, at, part)])
      at = (await offsetOf(client, id))!
    }
    expect((await finish(client, id)).body).toMatchObject({ sha256: hashOf(bytes) })
  })

  it.each([
    ['without a version', { 'tus-resumable': '' }, 412],
    ['of another version', { 'tus-resumable': '0.2.2' }, 412],
    ['without an offset', { 'upload-offset': '' }, 400],
    ['with a negative offset', { 'upload-offset': '-1' }, 400],
    ['with an offset of a thousand digits', { 'upload-offset': '9'.repeat(1_000) }, 400],
    ['of JSON', { 'content-type': 'application/json' }, 400],
    ['of another type', { 'content-type': 'application/pdf' }, 415],
  ])('%s is refused', async (_, headers, status) => {
    const id = idOf(await create(client, 100))
    const path = pathOf(appendToUpload, { id })
    const body = new TextEncoder().encode('{}')
    const response = await client.send('PATCH', path, body, { ...partHeaders(0), ...headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('tus-resumable')).toBe('1.0.0')
    expect(await offsetOf(client, id)).toBe(0)
  })
})

describe('an upload', () => {
  it.each([
    ['above 100 MB', { 'upload-length': String(100 * 1024 * 1024 + 1) }, fileTooLarge.code, 413],
    ['without a length', { 'upload-length': '' }, 'bad_request', 400],
    ['without a category', { 'upload-metadata': 'filename YQ==' }, 'invalid_input', 422],
    [
      'with 8 kB of NUL as category',
      { 'upload-metadata': `documentType ${Buffer.alloc(6_000).toString('base64')}` },
      'invalid_input',
      422,
    ],
    [
      'with metadata that is not Base64',
      { 'upload-metadata': 'documentType ***, ,,=,filename' },
      'invalid_input',
      422,
    ],
    [
      'that replaces something impossible',
      { 'upload-metadata': 'replaces Li4vLi4=' },
      'invalid_input',
      422,
    ],
  ])('%s is refused at its start', async (_, headers, code, status) => {
    const valid = { ...TUS, 'upload-length': '100' }
    const response = await client.call(createUpload, { headers: { ...valid, ...headers } })
    expect(response).toMatchObject({ status, body: { code } })
    expect((await client.call(getUnfinishedUploads, {})).body).toEqual([])
  })

  it('without a category says what is missing', async () => {
    const { body } = await create(client, 100, { documentType: '' })
    expect(body.fields).toEqual({ documentType: NO_CATEGORY })
  })

  it('can be one of three that are unfinished, however many are started at once', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => create(client, 100)))
    const started = created.filter(({ status }) => status === 201)
    expect(started).toHaveLength(3)
    const others = created.filter(({ status }) => status !== 201)
    for (const other of others) expect(other).toMatchObject(refused(tooManyUnfinished))
    await remove(client, idOf(started[0]!))
    expect((await create(client, 100)).status).toBe(201)
  })

  it('of someone else cannot be seen, continued, removed or finished', async () => {
    const stranger = await testApp.signedIn(await testApp.account())
    const id = await sendInParts(client, newPdf())
    const missing = refused(notFound)
    for (const unknown of [id, randomUUID(), 'x', '0'.repeat(64)]) {
      expect(await offsetOf(stranger, unknown)).toBeUndefined()
      expect(await append(stranger, unknown, 0, Buffer.alloc(1))).toMatchObject(missing)
      expect(await remove(stranger, unknown)).toMatchObject(missing)
      expect(await finish(stranger, unknown)).toMatchObject(missing)
    }
    expect((await stranger.call(getUnfinishedUploads, {})).body).toEqual([])
    expect((await finish(client, id)).status).toBe(201)
  })

  it('that is removed leaves nothing', async () => {
    const id = await sendInParts(client, newPdf(2_000_000))
    expect(await countRows('upload_chunks', id)).toBe(3)
    expect((await remove(client, id)).status).toBe(204)
    expect(await countRows('upload_chunks', id)).toBe(0)
    expect((await remove(client, id)).status).toBe(404)
  })

  it('expires after a day, and its bytes are then deleted', async () => {
    const [id, finished] = [
      await sendInParts(client, newPdf()),
      await sendInParts(client, newPdf(), { filename: newName() }),
    ]
    const { body } = await finish(client, finished)
    await sql.query('update unfinished_uploads set expires_at = now() where id = any($1)', [
      [id, finished],
    ])
    expect(await offsetOf(client, id)).toBeUndefined()
    expect(await finish(client, id)).toMatchObject(refused(notFound))
    await testApp.send(expireUploads, {})
    await expect.poll(() => countRows('unfinished_uploads', id), WAIT_OPTIONS).toBe(0)
    expect(await countRows('upload_chunks', id)).toBe(0)
    await expect.poll(async () => (await boxFile(body.name)).sha256, WAIT_OPTIONS).toBe(body.sha256)
  })

  it('is deleted with its account', async () => {
    const account = await testApp.account()
    const id = await sendInParts(await testApp.signedIn(account), newPdf())
    await sql.query('delete from users where email = $1', [account.email])
    expect(await countRows('upload_chunks', id)).toBe(0)
  })
})

describe('finishing', () => {
  it('twice, at once or after a lost response, gives the same document', async () => {
    const id = await sendInParts(client, newPdf(2_000_000))
    const both = await Promise.all([finish(client, id), finish(client, id)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]))
    const again = await finish(client, id)
    expect(again.status).toBe(200)
    expect(new Set([...both, again].map(({ body }) => body.id)).size).toBe(1)
    const listed = (await listOf(client)).filter(({ sha256 }) => sha256 === again.body.sha256)
    expect(listed).toHaveLength(1)
  })

  it('an upload of a file that is there already gives that document and keeps no bytes', async () => {
    const file = { name: newName(), bytes: newPdf() }
    const { body: first } = await send(client, file)
    const id = await sendInParts(client, file.bytes, { filename: file.name })
    expect(await finish(client, id)).toMatchObject({ status: 200, body: { id: first.id } })
    expect(await countRows('upload_chunks', id)).toBe(0)
  })

  it('a file that the checks refuse deletes it', async () => {
    const id = await sendInParts(client, Buffer.from('not a PDF'))
    expect(await finish(client, id)).toMatchObject(refused(wrongFileType))
    expect(await countRows('unfinished_uploads', id)).toBe(0)
    expect(await countRows('upload_chunks', id)).toBe(0)
  })
})
