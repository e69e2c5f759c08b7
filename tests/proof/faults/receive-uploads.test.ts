import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  fileTooLarge,
  noSpaceForUploads,
  UPLOAD_MAX_BYTES,
  uploadsBusy,
  uploadTooSlow,
} from '@guidon/contract/document-refusals'
import { MAX_FILES, tooManyUploads } from '@guidon/contract/documents'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { admission } from '../../../api/src/features/documents/receive/admission.ts'
import { withReceived } from '../../../api/src/features/documents/receive/receive.ts'
import type { Received } from '../../../api/src/features/documents/receive/receive.ts'
import { createLog } from '../../../api/src/platform/log.ts'
import { openUpload } from '../../support/attacks/open-upload.ts'
import { slowUploads } from '../../support/attacks/slow-uploads.ts'
import { FORM_END, formStart } from '../../support/attacks/target.ts'
import { bareApp } from '../../support/bare-app.ts'
import { figures, headline } from '../figures.ts'
import { ENDLESS_BODY_STARTS, endlessUpload } from './attacks/endless-upload.ts'

const MEGABYTE = 1024 * 1024
/** The largest upload, and the data in the socket buffers of both sides. */
const MAX_ENDLESS_MEGABYTES = 140
const WAIT = { timeout: 60_000, interval: 20 }
const log = createLog('silent', 'test')
const origin = 'http://localhost:4000'
const directory = mkdtempSync(join(tmpdir(), 'guidon-receive-'))
afterAll(() => rmSync(directory, { recursive: true }))

const noPaceLimit = { windowMs: 60_000, bytesPerSecondMin: 1, totalMs: 60_000 }

/** The real server and its upload route; received files wait until `release` is called. */
async function startReceiver({
  pace = noPaceLimit,
  maxConcurrent = 50,
  freeBytes = 4_000 * MEGABYTE,
} = {}) {
  const app = await bareApp({ publicUrl: origin })
  const responded: number[] = []
  app.addHook('onSend', async (_request, reply) => void responded.push(reply.statusCode))
  const checkQuota = async () => {}
  const released = Promise.withResolvers<void>()
  const received: Received[] = []
  const receiving = {
    directory,
    pace,
    admission: admission({ checkQuota, freeBytes: async () => freeBytes, log, maxConcurrent }),
  }
  app.post('/box/uploadfile/me', (request) =>
    withReceived(request, { userId: String(request.headers.cookie) }, receiving, async (file) => {
      received.push(file)
      await released.promise
      return { size: file.size, fields: file.fields }
    }),
  )
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  cleanups.push(() => app.close())
  const targetFor = (cookie: string) => ({ base, origin, cookie })
  return { targetFor, received, responded, release: released.resolve }
}
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close()
  await vi.waitUntil(() => readdirSync(directory).length === 0, WAIT)
})

const formWithFile = (bytes: number) =>
  Buffer.concat([Buffer.from(formStart('a.pdf')), Buffer.alloc(bytes, 'a'), Buffer.from(FORM_END)])

async function sendForm(target: Parameters<typeof openUpload>[0], bytes = 1_000) {
  const body = formWithFile(bytes)
  const { request, response } = openUpload(target, body.length)
  request.end(body)
  return response
}
const refusalOf = ({ status, code }: { status: number; code: string }) => ({
  status,
  body: expect.stringContaining(`"${code}"`),
})

describe('one account', () => {
  it('can send three uploads at once; a fourth is refused with a message and a time to retry', async () => {
    const { targetFor, received, release } = await startReceiver()
    const three = Array.from({ length: MAX_FILES }, () => sendForm(targetFor('one')))
    await vi.waitUntil(() => received.length === MAX_FILES, WAIT)
    const fourth = await sendForm(targetFor('one'))
    expect(fourth).toMatchObject({ ...refusalOf(tooManyUploads), retryAfter: '5' })
    expect(fourth.body).toContain('You can only upload up to 3 documents at a time.')
    const other = sendForm(targetFor('other'))
    await vi.waitUntil(() => received.length === MAX_FILES + 1, WAIT)
    release()
    const responses = await Promise.all([...three, other])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await sendForm(targetFor('one'))).toMatchObject({ status: 200 })
    expect(readdirSync(directory)).toEqual([])
  })

  it('that starts ten endless uploads occupies three slots, and only until the uploads are refused as too slow', async () => {
    const pace = { windowMs: 400, bytesPerSecondMin: 8_192, totalMs: 60_000 }
    const { targetFor, release } = await startReceiver({ pace })
    release()
    const attack = await slowUploads(targetFor('one'), { count: 10, everyMs: 50 })
    cleanups.push(() => attack.stop())
    const responses = await Promise.all(attack.uploads.map(({ response }) => response))
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
    figures('endless uploads of one account', {
      uploads: statuses.length,
      'refused as too slow': statuses.filter((status) => status === 408).length,
      'refused as too many': statuses.filter((status) => status === 429).length,
    })
    headline.sum({
      'endless uploads': statuses.length,
      refused: statuses.filter((status) => status === 408 || status === 429).length,
    })
    expect(statuses).toEqual([408, 408, 408, ...Array<number>(7).fill(429)])
    const slow = responses.find(({ status }) => status === 408)
    expect(slow!.body).toContain(uploadTooSlow.message)
    await vi.waitUntil(() => readdirSync(directory).length === 0, WAIT)
    expect(await sendForm(targetFor('one'))).toMatchObject({ status: 200 })
  })
})

describe('an upload', () => {
  it('ends after the maximum time, even if it is steady', async () => {
    const pace = { windowMs: 60_000, bytesPerSecondMin: 1, totalMs: 300 }
    const { targetFor } = await startReceiver({ pace })
    const attack = await slowUploads(targetFor('one'), { count: 1, everyMs: 20 })
    cleanups.push(() => attack.stop())
    expect(await attack.uploads[0]!.response).toMatchObject(refusalOf(uploadTooSlow))
  })

  it('whose declared length is too large is refused before it is read', async () => {
    const { targetFor, received } = await startReceiver()
    const { request, response } = openUpload(targetFor('one'), UPLOAD_MAX_BYTES + 1)
    request.flushHeaders()
    expect(await response).toMatchObject(refusalOf(fileTooLarge))
    expect(received).toEqual([])
    request.destroy()
  })

  it.each(Object.keys(ENDLESS_BODY_STARTS) as (keyof typeof ENDLESS_BODY_STARTS)[])(
    'without a length whose %s never ends is cut off at the limit',
    async (where) => {
      const { targetFor, responded } = await startReceiver()
      const { status, megabytes, closed } = await endlessUpload(targetFor('one'), where, 250)
      figures(`an upload whose ${where} never ends`, {
        'MB sent until it was cut off': megabytes,
        'limit MB': MAX_ENDLESS_MEGABYTES,
      })
      headline.max({ 'MB until cut off': megabytes, 'limit MB': MAX_ENDLESS_MEGABYTES })
      expect(closed).toBe(true)
      expect(responded).toHaveLength(1)
      expect([400, 413]).toContain(responded[0])
      // A client that goes on sending may lose the response when the connection is reset.
      expect([responded[0], undefined]).toContain(status)
      expect(megabytes).toBeLessThan(MAX_ENDLESS_MEGABYTES)
      await vi.waitUntil(() => readdirSync(directory).length === 0, WAIT)
    },
  )

  it('whose client disconnects frees its slot and its disk space', async () => {
    const { targetFor, release } = await startReceiver({ freeBytes: 150 * MEGABYTE })
    release()
    const { request } = openUpload(targetFor('one'), 100 * MEGABYTE)
    request.write(formStart('gone.pdf'))
    await vi.waitUntil(() => readdirSync(directory).length === 1, WAIT)
    expect(await sendForm(targetFor('two'), 60 * MEGABYTE)).toMatchObject({ status: 503 })
    request.destroy()
    await vi.waitUntil(() => readdirSync(directory).length === 0, WAIT)
    expect(await sendForm(targetFor('two'), 60 * MEGABYTE)).toMatchObject({ status: 200 })
  })
})

describe('the server', () => {
  it('reserves disk space for whole files, and refuses an upload that does not fit with a message', async () => {
    const { targetFor } = await startReceiver({ freeBytes: 250 * MEGABYTE })
    const attack = await slowUploads(targetFor('one'), { count: 2, everyMs: 1_000 })
    cleanups.push(() => attack.stop())
    await vi.waitUntil(() => readdirSync(directory).length === 2, WAIT)
    const refused = await sendForm(targetFor('other'), 60 * MEGABYTE)
    expect(refused).toMatchObject({ ...refusalOf(noSpaceForUploads), retryAfter: '30' })
    expect(attack.open()).toBe(2)
  })

  it('gives the slot of the slowest upload to another client when no slot is free', async () => {
    const pace = { windowMs: 200, bytesPerSecondMin: 1, totalMs: 60_000 }
    const { targetFor, release } = await startReceiver({ pace, maxConcurrent: 3 })
    release()
    const attack = await slowUploads(targetFor('one'), { count: 3, everyMs: 20 })
    cleanups.push(() => attack.stop())
    await expect.poll(() => sendForm(targetFor('other')), WAIT).toMatchObject({ status: 200 })
    expect(attack.open()).toBeLessThan(3)
  })

  it('limits the concurrent uploads of all accounts', async () => {
    const { targetFor } = await startReceiver({ maxConcurrent: 2 })
    const attack = await slowUploads(targetFor('one'), { count: 2, everyMs: 1_000 })
    cleanups.push(() => attack.stop())
    const refused = await sendForm(targetFor('other'))
    expect(refused).toMatchObject({ ...refusalOf(uploadsBusy), retryAfter: '30' })
  })
})

describe('a form', () => {
  const B = '--b'
  const part = (head: string, value = 'x') => `${B}\r\n${head}\r\n\r\n${value}\r\n`
  const file = (name = 'file') =>
    part(`Content-Disposition: form-data; name="${name}"; filename="a.pdf"`)
  const field = (n: number) => part(`Content-Disposition: form-data; name="field${n}"`)
  const withBoundary = 'multipart/form-data; boundary=b'

  it.each([
    ['without a boundary', 'multipart/form-data', `${file()}${B}--`, 400],
    ['with an empty boundary', 'multipart/form-data; boundary=', `${file()}${B}--`, 400],
    ['with another boundary', 'multipart/form-data; boundary=other', `${file()}${B}--`, 400],
    ['without its end', withBoundary, file(), 400],
    ['that is empty', withBoundary, '', 422],
    ['without a file', withBoundary, `${field(1)}${B}--`, 422],
    ['with its file under another name', withBoundary, `${file('other')}${B}--`, 422],
    ['with a file named __proto__', withBoundary, `${file('__proto__')}${B}--`, 400],
    [
      'with a thousand fields',
      withBoundary,
      `${Array.from({ length: 1_000 }, (_, n) => field(n)).join('')}${file()}${B}--`,
      413,
    ],
    ['with two files', withBoundary, `${file()}${file()}${B}--`, 413],
    [
      'with a part that has a megabyte of headers',
      withBoundary,
      `${part(`X: ${'y'.repeat(1_000_000)}`)}${B}--`,
      422,
    ],
    [
      'with ten thousand headers in a part',
      withBoundary,
      `${part('X: y\r\n'.repeat(10_000).trimEnd())}${B}--`,
      422,
    ],
    ['that is not a form', 'application/json', '{}', 406],
    ['that contains only NUL', withBoundary, '\0'.repeat(65_536), 400],
  ])('%s gets a 4xx response', async (_, type, body, status) => {
    const { targetFor, release } = await startReceiver()
    release()
    const upload = openUpload(targetFor('one'), Buffer.byteLength(body), { 'content-type': type })
    upload.request.end(body)
    const { status: received } = await upload.response
    expect(received).toBeGreaterThanOrEqual(400)
    expect(received).toBeLessThan(500)
    expect(received).toBe(status)
  })
})
