import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { wrongFileType } from '@guidon/contract/document-refusals'
import { pathOf } from '@guidon/contract/endpoint'
import {
  appendToUpload,
  CHUNK_BYTES,
  PART_MAX_BYTES,
  PART_MIN_BYTES,
  partTooLarge,
  partTooSmall,
  wrongOffset,
} from '@guidon/contract/resumable-uploads'
import { boot } from '@guidon/tests/boot'
import { hashOf, newPdf, WAIT_OPTIONS } from '@guidon/tests/documents'
import { append, create, finish, idOf, offsetOf, partHeaders } from '@guidon/tests/resumable'
import { cookieOf } from '@guidon/tests/test-client'
import { afterEach, describe, expect, it, vi } from 'vitest'

const testApp = await boot()
const { sql, base, config } = testApp
const client = await testApp.withSession(await testApp.account())
afterEach(() => sql.query('delete from unfinished_uploads'))

const refused = ({ status, code }: { status: number; code: string }) => ({ status, body: { code } })

/** Zeros after the first bytes of a PDF, so that the part is accepted. */
const zeros = (bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.write('%PDF-')
  return buffer
}

/** Sends the head of a part and some of its bytes, and closes the connection without its end. */
async function cutOff(id: string, offset: number, bytes: Buffer, declared: number) {
  const sent = request(base + pathOf(appendToUpload, { id }), {
    method: 'PATCH',
    agent: false,
    headers: {
      ...partHeaders(offset),
      origin: config.PUBLIC_URL,
      cookie: cookieOf(client),
      'content-length': declared,
    },
  })
  const closed = new Promise((resolve) => sent.on('error', resolve).once('close', resolve))
  sent.write(bytes, () => sent.destroy())
  await closed
}

/** As clients send a body whose length they do not know. */
async function appendChunked(id: string, offset: number) {
  const sent = request(base + pathOf(appendToUpload, { id }), {
    method: 'PATCH',
    agent: false,
    headers: { ...partHeaders(offset), origin: config.PUBLIC_URL, cookie: cookieOf(client) },
  })
  sent.end(zeros(5).subarray(0, 1))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode }
}

describe('a part', () => {
  it('whose connection is lost keeps what has arrived', async () => {
    const bytes = newPdf(6_000_000)
    const id = idOf(await create(client, bytes.length))
    let at = 0
    for (const length of [40_000, 70_000, CHUNK_BYTES, 2_500_000]) {
      await cutOff(id, at, bytes.subarray(at, at + length), bytes.length - at)
      await expect.poll(() => offsetOf(client, id), WAIT_OPTIONS).toBeGreaterThan(at)
      // What arrives after the first piece may be stored a moment later.
      await vi.waitFor(async () => {
        at = (await offsetOf(client, id))!
        const { status } = await append(client, id, at, bytes.subarray(at, at + PART_MIN_BYTES))
        expect(status).toBe(204)
        at += PART_MIN_BYTES
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
    ['before the stored bytes', 39_999],
    ['after the stored bytes', 40_001],
    ['after the end', 10_000_000],
  ])('that starts %s is refused', async (_, offset) => {
    const id = idOf(await create(client, 80_000))
    await append(client, id, 0, zeros(40_000))
    expect(await append(client, id, offset, zeros(10))).toMatchObject(refused(wrongOffset))
    expect(await offsetOf(client, id)).toBe(40_000)
  })

  it('larger than the limit or than the rest of the file is refused before it is read', async () => {
    const id = idOf(await create(client, PART_MAX_BYTES + 100))
    const tooLarge = refused(partTooLarge)
    expect(await append(client, id, 0, zeros(PART_MAX_BYTES + 1))).toMatchObject(tooLarge)
    expect((await append(client, id, 0, zeros(PART_MAX_BYTES))).status).toBe(204)
    expect(await append(client, id, PART_MAX_BYTES, zeros(101))).toMatchObject(tooLarge)
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

  it('is stored once, and never written again', async () => {
    const bytes = newPdf(400_000)
    const id = idOf(await create(client, bytes.length))
    // `xmin` changes when a row is written again.
    const chunks = async () => {
      const { rows } = await sql.query<{ chunk: string }>(
        `select start || ' ' || xmin as chunk from upload_chunks where upload_id = $1 order by start`,
        [id],
      )
      return rows.map(({ chunk }) => chunk)
    }
    let [at, stored]: [number, string[]] = [0, []]
    for (; bytes.length - at >= PART_MIN_BYTES; at += PART_MIN_BYTES) {
      const part = bytes.subarray(at, at + PART_MIN_BYTES)
      expect((await append(client, id, at, part)).status).toBe(204)
      const before = stored
      stored = await chunks()
      expect(stored).toHaveLength(before.length + 1)
      expect(stored.slice(0, -1)).toEqual(before)
    }
    expect((await append(client, id, at, bytes.subarray(at))).status).toBe(204)
    expect((await finish(client, id)).body).toMatchObject({ sha256: hashOf(bytes) })
  })

  it.each([
    ['with its length', 1],
    ['without its length', undefined],
  ])(
    'of one byte, sent %s, is refused and not stored, unless it ends the file',
    async (_, length) => {
      const id = idOf(await create(client, PART_MIN_BYTES + 1))
      const sendByte = (at: number) =>
        length === undefined ? appendChunked(id, at) : append(client, id, at, zeros(length))
      expect(await sendByte(0)).toMatchObject({ status: partTooSmall.status })
      expect(await offsetOf(client, id)).toBe(0)
      expect((await append(client, id, 0, zeros(PART_MIN_BYTES))).status).toBe(204)
      expect((await sendByte(PART_MIN_BYTES)).status).toBe(204)
    },
  )

  it('of a file that is neither a PDF nor a JPEG is refused before anything is stored', async () => {
    const id = idOf(await create(client, 3_000_000))
    const wrong = refused(wrongFileType)
    expect(await append(client, id, 0, Buffer.alloc(2_000_000))).toMatchObject(wrong)
    expect(await offsetOf(client, id)).toBe(0)
    expect(await append(client, id, 0, newPdf())).toMatchObject(wrong)
    expect(await finish(client, id)).toMatchObject(wrong)
  })

  it('may have a content type with parameters, in upper or lower case', async () => {
    const id = idOf(await create(client, 10))
    const { status } = await client.send(
      'PATCH',
      pathOf(appendToUpload, { id }),
      new Uint8Array(zeros(10)),
      { ...partHeaders(0), 'content-type': 'Application/Offset+Octet-Stream; charset=utf-8' },
    )
    expect(status).toBe(204)
  })

  it.each([
    ['without a version', { 'tus-resumable': '' }, 412],
    ['of another version', { 'tus-resumable': '0.2.2' }, 412],
    ['without an offset', { 'upload-offset': '' }, 400],
    ['with a negative offset', { 'upload-offset': '-1' }, 400],
    ['with an offset of a thousand digits', { 'upload-offset': '9'.repeat(1_000) }, 400],
    ['of JSON', { 'content-type': 'application/json' }, 415],
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
