import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBox } from './box.ts'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import { filesOnDisk, downloaded, refusal, sdkFor, sha1, uploadOf } from './sdk.ts'

let box: Box
let sdk: ReturnType<typeof sdkFor>
let sandbox: BoxSandboxClient

beforeEach(async () => {
  box = await startBox()
  sdk = sdkFor(box)
  sandbox = new BoxSandboxClient(box.url)
})
afterEach(() => box.close())

// The form before the bytes of the file.
const OPENING = Buffer.from(
  '--x\r\ncontent-disposition: form-data; name="attributes"\r\n\r\n' +
    '{"name":"a.pdf","parent":{"id":"0"}}\r\n' +
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n',
)

const uploaded = async (name: string, bytes: Buffer | string, folderId = '0') =>
  (await sdk.uploads.uploadFile(uploadOf(name, bytes, folderId))).entries![0]!

describe('a direct upload', () => {
  it('is downloaded with the same bytes', async () => {
    const bytes = randomBytes(3_000_000)
    const file = await uploaded('DD-214.pdf', bytes)
    expect(file).toMatchObject({ name: 'DD-214.pdf', size: bytes.length, sha1: sha1(bytes) })
    expect(bytes.equals(await downloaded(sdk, file.id))).toBe(true)
    expect(await sandbox.files()).toMatchObject([{ id: file.id, sha1: sha1(bytes), etag: '0' }])
  })

  it.each([0, 1, 65_535, 65_536, 65_537])('of %i bytes is stored completely', async (size) => {
    const bytes = Buffer.alloc(size, '\r\n--')
    const file = await uploaded('DD-214.pdf', bytes)
    expect(file.sha1).toBe(sha1(bytes))
    expect(bytes.equals(await downloaded(sdk, file.id))).toBe(true)
  })

  it('whose name is in use, in upper or lower case, is refused: the error names the existing file', async () => {
    const file = await uploaded('DD-214.pdf', 'one')
    const { statusCode, body } = await refusal(uploaded('dd-214.PDF', 'other'))
    expect(statusCode).toBe(409)
    expect(body).toMatchObject({
      code: 'item_name_in_use',
      context_info: { conflicts: { type: 'file', id: file.id, sha1: sha1('one') } },
    })
    expect(await filesOnDisk(box)).toBe(1)
  })

  it('with the same name as a concurrent one is stored only if it is the first of the two', async () => {
    const outcomes = await Promise.allSettled(['one', 'two'].map((text) => uploaded('a', text)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await filesOnDisk(box)).toBe(1)
  })

  it('whose SHA-1 differs from the announced one is refused and leaves nothing', async () => {
    const call = sdk.uploads.uploadFile(uploadOf('DD-214.pdf', 'bytes'), {
      headers: { contentMd5: sha1('other bytes') },
    })
    expect((await refusal(call)).body).toMatchObject({ status: 400, code: 'bad_digest' })
    expect(await sandbox.files()).toEqual([])
    expect(await filesOnDisk(box)).toBe(0)
  })

  it('above the limit is refused and leaves nothing', async () => {
    const small = await startBox({ limits: { maxDirectUploadBytes: 1_000_000 } })
    const call = sdkFor(small).uploads.uploadFile(uploadOf('a.pdf', Buffer.alloc(5_000_000)))
    expect((await refusal(call)).statusCode).toBe(413)
    expect(await filesOnDisk(small)).toBe(0)
    await small.close()
  })

  it('is refused when its attributes come after its bytes', async () => {
    const form = new FormData()
    form.append('file', new Blob(['bytes']))
    form.append('attributes', JSON.stringify({ name: 'a', parent: { id: '0' } }))
    const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
    const response = await fetch(`${box.uploadUrl}/2.0/files/content`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    expect(await response.json()).toMatchObject({ code: 'metadata_after_file_contents' })
  })

  it('that is refused early is read to its end, so that the client can finish', async () => {
    await uploaded('a.pdf', 'one')
    const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
    const rest = Buffer.alloc(20_000_000)
    const socket = connect(Number(new URL(box.url).port), '127.0.0.1')
    const response = once(socket, 'data')
    socket.write(
      'POST /api/2.0/files/content HTTP/1.1\r\nhost: box\r\n' +
        `authorization: ${authorization}\r\n` +
        'content-type: multipart/form-data; boundary=x\r\n' +
        `content-length: ${OPENING.length + rest.length}\r\n\r\n`,
    )
    socket.write(OPENING)
    expect(String(await response)).toMatch(/^HTTP\/1.1 409 /)
    await new Promise((written) => {
      socket.write(rest, written)
    })
    socket.destroy()
  })

  it('that the client aborts leaves nothing', async () => {
    const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
    const abort = new AbortController()
    async function* body() {
      yield OPENING
      yield Buffer.alloc(1_000_000)
      // The sandbox has opened its file.
      await expect.poll(() => filesOnDisk(box)).toBe(1)
      abort.abort()
    }
    const call = fetch(`${box.uploadUrl}/2.0/files/content`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=x' },
      body: body(),
      duplex: 'half',
      signal: abort.signal,
    })
    await expect(call).rejects.toThrow(/abort/)
    await expect.poll(() => filesOnDisk(box)).toBe(0)
    expect(await sandbox.files()).toEqual([])
    expect((await sandbox.stats()).uploads).toBe(0)
  })
})

describe('preflight', () => {
  it('returns the upload URL, or the existing file', async () => {
    const file = { name: 'DD-214.pdf', size: 3, parent: { id: '0' } }
    const { uploadUrl } = await sdk.uploads.preflightFileUploadCheck(file)
    expect(uploadUrl).toBe(`${box.uploadUrl}/2.0/files/content`)
    const { entries } = await sdk.uploads.uploadWithPreflightCheck({
      ...uploadOf('DD-214.pdf', 'one'),
      attributes: { ...file, parent: { id: '0' } },
    })
    const { body } = await refusal(sdk.uploads.preflightFileUploadCheck(file))
    expect(body).toMatchObject({
      status: 409,
      code: 'item_name_in_use',
      context_info: { conflicts: { id: entries![0]!.id, sha1: sha1('one') } },
    })
  })
})

describe('versions', () => {
  const newVersion = (id: string, bytes: string, ifMatch: string) =>
    sdk.uploads.uploadFileVersion(
      id,
      { ...uploadOf('DD-214.pdf', bytes), attributes: { name: 'DD-214.pdf' } },
      { headers: { ifMatch } },
    )

  it('are added when the etag matches, and the earlier ones are kept', async () => {
    const file = await uploaded('DD-214.pdf', 'one')
    const { entries } = await newVersion(file.id, 'second', file.etag!)
    expect(entries).toMatchObject([{ id: file.id, etag: '1', sequenceId: '1', size: 6 }])
    expect(entries![0]!.fileVersion!.id).not.toBe(file.fileVersion!.id)
    const past = await sdk.fileVersions.getFileVersions(file.id)
    expect(past).toMatchObject({ totalCount: 1, entries: [{ sha1: sha1('one'), size: 3 }] })
    expect(String(await downloaded(sdk, file.id))).toBe('second')
    expect(String(await downloaded(sdk, file.id, past.entries![0]!.id))).toBe('one')
    expect(await sandbox.stats()).toMatchObject({ uploads: 1, versions: 1 })
  })

  it('are refused when the file has changed meanwhile', async () => {
    const file = await uploaded('DD-214.pdf', 'one')
    await sandbox.addFile('0', 'DD-214.pdf', 'by staff')
    const { statusCode, body } = await refusal(newVersion(file.id, 'late', file.etag!))
    expect(statusCode).toBe(412)
    expect(body.code).toBe('precondition_failed')
    expect(String(await sandbox.bytes(file.id))).toBe('by staff')
    expect(await filesOnDisk(box)).toBe(2)
  })
})
