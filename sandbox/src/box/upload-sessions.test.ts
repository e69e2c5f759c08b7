import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startBox } from './box.ts'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import { filesOnDisk, downloaded, refusal, sdkFor, sha1 } from './sdk.ts'

const PART = 100_000

let box: Box
let sdk: ReturnType<typeof sdkFor>
let sandbox: BoxSandboxClient

beforeEach(async () => {
  box = await startBox({ limits: { minSessionBytes: 200_000, partSize: PART } })
  sdk = sdkFor(box)
  sandbox = new BoxSandboxClient(box.url)
})
afterEach(() => box.close())

const digest = (bytes: Buffer) => `sha=${createHash('sha1').update(bytes).digest('base64')}`

async function send(sessionId: string, whole: Buffer, from: number, changes = {}) {
  const bytes = whole.subarray(from, from + PART)
  const contentRange = `bytes ${from}-${from + bytes.length - 1}/${whole.length}`
  return sdk.chunkedUploads.uploadFilePart(sessionId, Readable.from([bytes]), {
    digest: digest(bytes),
    contentRange,
    ...changes,
  })
}

async function sendAll(sessionId: string, whole: Buffer) {
  const parts = []
  for (let from = 0; from < whole.length; from += PART) {
    parts.push((await send(sessionId, whole, from)).part!)
  }
  return parts
}

const wholeFile = randomBytes(250_001)
const open = async () =>
  await sdk.chunkedUploads.createFileUploadSession({
    fileName: 'a.pdf',
    fileSize: wholeFile.length,
    folderId: '0',
  })

it('makes a file of the parts that uploadBigFile of Box’s SDK sends', async () => {
  const file = await sdk.chunkedUploads.uploadBigFile(
    Readable.from([wholeFile]),
    'Service records.pdf',
    wholeFile.length,
    '0',
  )
  expect(file).toMatchObject({ size: wholeFile.length, sha1: sha1(wholeFile) })
  expect(wholeFile.equals(await downloaded(sdk, file.id))).toBe(true)
  expect(await filesOnDisk(box)).toBe(1)
  expect(await sandbox.stats()).toMatchObject({ uploads: 1, calls: { 'session.part': 3 } })
})

it('adds a version if the file has not changed meanwhile', async () => {
  const { id } = await sandbox.addFile('0', 'a.pdf', 'one')
  const commit = async (ifMatch: string) => {
    const session = await sdk.chunkedUploads.createFileUploadSessionForExistingFile(id, {
      fileSize: wholeFile.length,
    })
    const parts = await sendAll(session.id!, wholeFile)
    return sdk.chunkedUploads.createFileUploadSessionCommit(
      session.id!,
      { parts },
      { digest: digest(wholeFile), ifMatch },
    )
  }
  expect((await refusal(commit('7'))).statusCode).toBe(412)
  expect(await commit('0')).toMatchObject({ entries: [{ id, etag: '1', sha1: sha1(wholeFile) }] })
  expect(await sandbox.stats()).toMatchObject({ uploads: 0, versions: 1 })
})

it('refuses small files', async () => {
  const call = sdk.chunkedUploads.createFileUploadSession({
    fileName: 'a.pdf',
    fileSize: 199_999,
    folderId: '0',
  })
  expect((await refusal(call)).body).toMatchObject({ status: 400, code: 'bad_request' })
})

it('refuses a name that is in use before any part is sent', async () => {
  const { id } = await sandbox.addFile('0', 'a.pdf', 'one')
  const { body } = await refusal(open())
  expect(body).toMatchObject({ status: 409, context_info: { conflicts: { id } } })
})

it('refuses parts that are damaged, misplaced or not of the agreed size', async () => {
  const { id, partSize, totalParts } = await open()
  expect([partSize, totalParts]).toEqual([PART, 3])
  const damaged = await refusal(send(id!, wholeFile, 0, { digest: digest(Buffer.from('other')) }))
  expect(damaged.body.code).toBe('bad_digest')
  for (const contentRange of ['bytes 5-100004/250001', 'bytes 0-9/250001', 'bytes 0-99999/9', '']) {
    expect((await refusal(send(id!, wholeFile, 0, { contentRange }))).statusCode).toBe(416)
  }
  expect(await filesOnDisk(box)).toBe(0)
})

it('accepts a part again, but not with other bytes', async () => {
  const { id } = await open()
  const once = await send(id!, wholeFile, 0)
  expect((await send(id!, wholeFile, 0)).part).toEqual(once.part)
  expect((await refusal(send(id!, randomBytes(wholeFile.length), 0))).statusCode).toBe(409)
  expect(await filesOnDisk(box)).toBe(1)
})

it('commits only a complete file with the announced digest', async () => {
  const { id } = await open()
  const commit = (parts: object[], announced = digest(wholeFile)) =>
    sdk.chunkedUploads.createFileUploadSessionCommit(id!, { parts }, { digest: announced })
  const first = (await send(id!, wholeFile, 0)).part!
  expect((await refusal(commit([first]))).statusCode).toBe(400)
  const parts = await sendAll(id!, wholeFile)
  const damaged = await refusal(commit(parts, digest(Buffer.from('other'))))
  expect(damaged.body.code).toBe('bad_digest')
  expect(await sandbox.files()).toEqual([])
  await commit(parts)
  expect((await refusal(commit(parts))).statusCode).toBe(404)
  expect(await sandbox.files()).toMatchObject([{ name: 'a.pdf', sha1: sha1(wholeFile) }])
})

// Box's SDK does not retry after a 202, so its uploadBigFile fails: the test sends the commits itself.
it('responds that a commit is not ready, and commits on the retry', async () => {
  const { id } = await open()
  const parts = await sendAll(id!, wholeFile)
  const commit = () =>
    sdk.chunkedUploads.createFileUploadSessionCommit(id!, { parts }, { digest: digest(wholeFile) })
  await sandbox.fault({ mode: '202', times: 1 })
  expect(await commit()).toBeUndefined()
  expect(await sandbox.files()).toEqual([])
  expect(await commit()).toMatchObject({ entries: [{ sha1: sha1(wholeFile) }] })
})

it('deletes the parts when it is aborted', async () => {
  const { id } = await open()
  await sendAll(id!, wholeFile)
  expect(await sdk.chunkedUploads.getFileUploadSessionById(id!)).toMatchObject({
    numPartsProcessed: 3,
  })
  await sdk.chunkedUploads.deleteFileUploadSessionById(id!)
  expect(await filesOnDisk(box)).toBe(0)
  expect((await refusal(sdk.chunkedUploads.getFileUploadSessionById(id!))).statusCode).toBe(404)
})
