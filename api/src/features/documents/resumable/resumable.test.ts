import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { fileTooLarge, fileUnreadable } from '@guidon/contract/document-refusals'
import { documentExists, NO_CATEGORY_MESSAGE } from '@guidon/contract/documents'
import { notFound } from '@guidon/contract/refusal'
import {
  CHUNK_BYTES,
  createUpload,
  getUnfinishedUploads,
  getUploadOffset,
  tooManyUnfinished,
  UNFINISHED_MAX,
  uploadIncomplete,
} from '@guidon/contract/resumable-uploads'
import { connected } from '@guidon/tests/databases'
import {
  bootWithDocuments,
  hashOf,
  listOf,
  newName,
  newPdf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import { mailbox } from '@guidon/tests/mailbox'
import {
  append,
  create,
  finish,
  idOf,
  offsetOf,
  remove,
  sendInParts,
  TUS,
} from '@guidon/tests/resumable'
import { afterEach, describe, expect, it } from 'vitest'
import { expireUploads } from './expire-uploads.ts'

const { testApp, boxFile, veteran } = await bootWithDocuments()
const { sql, config } = testApp

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
    const later = await testApp.signedIn(account, { after: mail })
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
        note: null,
        chunks: [
          { start: 0, sha256: hashOf(part.subarray(0, CHUNK_BYTES)) },
          { start: CHUNK_BYTES, sha256: hashOf(part.subarray(CHUNK_BYTES)) },
        ],
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
      'that replaces an id that cannot exist',
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

  it.each([
    ['for a request that does not exist', { documentId: 'a01000000000001' }, notFound],
    ['that replaces a document that does not exist', { replaces: randomUUID() }, notFound],
  ])('%s is refused before it is sent', async (_, fields, refusal) => {
    expect(await create(client, 100, fields)).toMatchObject(refused(refusal))
    expect((await client.call(getUnfinishedUploads, {})).body).toEqual([])
  })

  it('with the name of another document is refused before it is sent, unless it may be the same file', async () => {
    const file = { name: newName(), bytes: newPdf() }
    await send(client, file)
    const named = { filename: file.name.toUpperCase() }
    expect(await create(client, file.bytes.length + 1, named)).toMatchObject(
      refused(documentExists),
    )
    expect((await create(client, file.bytes.length, named)).status).toBe(201)
  })

  it('without a category says what is missing', async () => {
    const { body } = await create(client, 100, { documentType: '' })
    expect(body.fields).toEqual({ documentType: NO_CATEGORY_MESSAGE })
  })

  it('is refused while three are unfinished, however many are started at once', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => create(client, 100)))
    const started = created.filter(({ status }) => status === 201)
    expect(started).toHaveLength(3)
    const others = created.filter(({ status }) => status !== 201)
    for (const other of others) expect(other).toMatchObject(refused(tooManyUnfinished))
    await remove(client, idOf(started[0]!))
    expect((await create(client, 100)).status).toBe(201)
  })

  it('of someone else cannot be seen, continued, removed or finished', async () => {
    const stranger = await testApp.withSession(await testApp.account())
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
    const id = await sendInParts(await testApp.withSession(account), newPdf())
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

  it('under a name that was taken meanwhile keeps the bytes, and succeeds with another name', async () => {
    const [filename, other] = [newName(), newName()]
    const bytes = newPdf(2_000_000)
    const id = await sendInParts(client, bytes, { filename })
    await send(client, { name: filename, bytes: newPdf() })
    expect(await finish(client, id)).toMatchObject(refused(documentExists))
    expect(await countRows('upload_chunks', id)).toBe(3)
    expect((await client.call(getUnfinishedUploads, {})).body).toMatchObject([{ id }])
    expect(await finish(client, id, filename.toUpperCase())).toMatchObject(refused(documentExists))
    const document = { name: other, sha256: hashOf(bytes) }
    expect(await finish(client, id, other)).toMatchObject({ status: 201, body: document })
    expect(await finish(client, id, other)).toMatchObject({ status: 200, body: document })
  })

  it('an upload that is removed while its bytes are read says that it is gone', async () => {
    const id = await sendInParts(client, newPdf(2_000_000))
    const remover = await connected(config.DATABASE_URL)
    await remover.query('begin')
    await remover.query('lock table upload_chunks in access exclusive mode')
    const finished = finish(client, id)
    const blocked = `select from pg_locks where relation = 'upload_chunks'::regclass and not granted`
    // Others may be blocked, too: the worker counts what waits.
    await expect.poll(async () => (await sql.query(blocked)).rowCount, WAIT_OPTIONS).not.toBe(0)
    await remover.query('delete from unfinished_uploads where id = $1', [id])
    await remover.query('commit')
    await remover.end()
    expect(await finished).toMatchObject(refused(notFound))
  })

  it('a file that the checks refuse deletes its bytes, and gives the same refusal again after a lost response', async () => {
    const ids = []
    for (let count = 0; count < UNFINISHED_MAX; count += 1) {
      const id = await sendInParts(client, Buffer.from('%PDF-not a PDF'))
      const first = await finish(client, id)
      expect(first).toMatchObject(refused(fileUnreadable))
      expect(await countRows('upload_chunks', id)).toBe(0)
      for (const again of [await finish(client, id), await append(client, id, 0, Buffer.alloc(9))])
        expect(again).toMatchObject({ status: first.status, body: first.body })
      ids.push(id)
    }
    expect((await client.call(getUnfinishedUploads, {})).body).toEqual([])
    expect((await create(client, 100)).status).toBe(201)
    expect((await remove(client, ids[0]!)).status).toBe(204)
    expect(await finish(client, ids[0]!)).toMatchObject(refused(notFound))
  })
})
