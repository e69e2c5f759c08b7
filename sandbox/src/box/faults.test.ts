import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBox } from './box.ts'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import type { FaultMode } from './faults.ts'
import { bytesOnDisk, downloaded, refusal, sdkFor, sha1, uploadOf } from './sdk.ts'

let box: Box
let sdk: ReturnType<typeof sdkFor>
let sandbox: BoxSandboxClient

beforeEach(async () => {
  box = await startBox()
  sdk = sdkFor(box, { maxAttempts: 1 })
  sandbox = new BoxSandboxClient(box.url)
  await sdk.auth.retrieveToken(sdk.networkSession)
})
afterEach(() => box.close())

const look = () => sdk.folders.getFolderById('0')
const upload = (client = sdk) => client.uploads.uploadFile(uploadOf('a.pdf', 'bytes'))

describe('faults', () => {
  it.each([
    ['500', 'internal_server_error', undefined],
    ['503', 'unavailable', '1'],
    ['429', 'rate_limit_exceeded', '1'],
  ] as const)('answer %s, as often as asked', async (mode, code, after) => {
    await sandbox.fault({ mode, times: 1 })
    const { statusCode, body, headers } = await refusal(upload())
    expect(statusCode).toBe(Number(mode))
    expect(body).toMatchObject({ type: 'error', status: Number(mode), code })
    expect(headers['retry-after']).toBe(after)
    expect(await sandbox.files()).toEqual([])
    await upload()
    expect(await sandbox.stats()).toMatchObject({ uploads: 1, faulted: 1 })
  })

  it.each<[FaultMode, RegExp]>([
    ['down', /ECONNRESET|hang up/],
    ['lost-answer', /ECONNRESET|hang up/],
  ])('cut the connection: %s', async (mode, message) => {
    await sandbox.fault({ mode })
    await expect(look()).rejects.toThrow(message)
    await expect(look()).rejects.toThrow(message)
    await sandbox.fault({ mode: 'none' })
    await look()
  })

  // Box's client waits for the rest of such an answer without end, unless it was given a time-out.
  it('break off an answer in the middle', async () => {
    await sandbox.fault({ mode: 'truncated', times: 1 })
    const hurried = sdk.withTimeouts({ timeoutMs: 200 })
    await expect(hurried.folders.getFolderById('0')).rejects.toThrow(/timeout/)
    await hurried.folders.getFolderById('0')
  })

  it('break off a download in the middle', async () => {
    const { id } = await sandbox.addFile('0', 'a.bin', Buffer.alloc(1_000_000))
    await sandbox.fault({ mode: 'truncated', times: 1 })
    const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
    const answer = await fetch(`${box.url}/2.0/files/${id}/content`, { headers: { authorization } })
    expect(answer.headers.get('content-length')).toBe('1000000')
    let received = 0
    const reading = async () => {
      for await (const chunk of answer.body!) received += chunk.length
    }
    await expect(reading()).rejects.toThrow('terminated')
    expect(received).toBe(500_000)
    expect(await downloaded(sdk, id)).toHaveLength(1_000_000)
  })

  it('lose the answer of an upload that worked: sent again, it meets itself', async () => {
    const patient = sdkFor(box, { maxRetriesOnException: 1 })
    await sandbox.fault({ mode: 'lost-answer', times: 1, path: '/2.0/files/content' })
    const { statusCode, body } = await refusal(upload(patient))
    expect(statusCode).toBe(409)
    expect(body.context_info?.conflicts).toMatchObject({ sha1: sha1('bytes') })
    expect(await sandbox.files()).toMatchObject([{ name: 'a.pdf', versions: [{}] }])
  })

  it('strike only the calls that they name', async () => {
    await sandbox.fault({ mode: '503', method: 'POST', path: '/2.0/files/*' })
    await look()
    expect((await refusal(upload())).statusCode).toBe(503)
    await sandbox.fault({ mode: '503', path: '/2.0/folders/**' })
    await upload()
    expect((await refusal(look())).statusCode).toBe(503)
  })

  it('expire every token, without end if so ordered', async () => {
    await sandbox.fault({ mode: 'expired-token' })
    const patient = sdkFor(box, { maxAttempts: 3 })
    expect((await refusal(patient.folders.getFolderById('0'))).statusCode).toBe(401)
  })

  it('hold a call until it is let go', async () => {
    await sandbox.fault({ mode: 'hang', times: 1 })
    const held = upload()
    await sandbox.holding()
    await look()
    expect(await sandbox.files()).toEqual([])
    await sandbox.fault({ mode: 'none' })
    await held
    expect(await sandbox.stats()).toMatchObject({ uploads: 1, hanging: 0, abandoned: 0 })
  })

  it('forget a held upload whose sender has left', async () => {
    await sandbox.fault({ mode: 'hang' })
    const leaving = new AbortController()
    const held = sdk.uploads.uploadFile(uploadOf('a.pdf', 'bytes'), {
      cancellationToken: leaving.signal,
    })
    await sandbox.holding()
    leaving.abort()
    await expect(held).rejects.toThrow(/abort/i)
    await expect.poll(async () => (await sandbox.stats()).abandoned).toBe(1)
    await sandbox.fault({ mode: 'none' })
    expect(await sandbox.files()).toEqual([])
    expect(await bytesOnDisk(box)).toBe(0)
  })

  it('make a call slow', async () => {
    await sandbox.fault({ mode: 'slow', times: 1, delayMs: 50 })
    const begun = performance.now()
    await look()
    expect(performance.now() - begun).toBeGreaterThan(45)
  })

  it('leave the page and the orders alone', async () => {
    await sandbox.fault({ mode: 'down' })
    expect((await fetch(box.url)).status).toBe(200)
  })

  it('explain an order that they do not understand', async () => {
    for (const body of ['', '{}', '{"mode":"explode"}', '{"mode":"500","times":0}', '[]']) {
      const answer = await fetch(`${box.url}/faults`, { method: 'PUT', body })
      expect(answer.status).toBe(422)
    }
    expect(await (await fetch(`${box.url}/faults`)).json()).toEqual({ mode: 'none' })
  })

  it('do not keep the sandbox from closing', async () => {
    await sandbox.fault({ mode: 'hang' })
    const held = look().catch((error: Error) => error.message)
    await sandbox.holding()
    await box.close()
    expect(await held).toMatch(/ECONNRESET|hang up/)
  })
})

describe('the rate limits', () => {
  it('refuse what is beyond them, and have room again a minute later', async () => {
    let time = 0
    const limits = { callsPerMinute: 3, uploadsPerMinute: 1, now: () => time }
    const strict = await startBox({ limits })
    const client = sdkFor(strict, { maxAttempts: 1 })
    await client.uploads.uploadFile(uploadOf('1.pdf', 'bytes'))
    time = 20_000
    const second = await refusal(client.uploads.uploadFile(uploadOf('2.pdf', 'bytes')))
    expect(second.statusCode).toBe(429)
    expect(second.body.code).toBe('rate_limit_exceeded')
    expect(second.headers['retry-after']).toBe('40')
    await client.folders.getFolderById('0')
    expect((await refusal(client.folders.getFolderById('0'))).statusCode).toBe(429)
    time = 60_000
    await client.uploads.uploadFile(uploadOf('2.pdf', 'bytes'))
    expect(await new BoxSandboxClient(strict.url).stats()).toMatchObject({ rateLimited: 2 })
    await strict.close()
  })

  it('are Box’s own unless told otherwise: 1,000 calls and 240 uploads a minute', async () => {
    const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
    const post = async () => {
      const form = new FormData()
      form.append('attributes', JSON.stringify({ name: crypto.randomUUID(), parent: { id: '0' } }))
      form.append('file', new Blob(['bytes']))
      const url = `${box.uploadUrl}/2.0/files/content`
      return (await fetch(url, { method: 'POST', headers: { authorization }, body: form })).status
    }
    const get = async () =>
      (await fetch(`${box.url}/2.0/folders/0?fields=name`, { headers: { authorization } })).status
    const times = async (count: number, call: () => Promise<number>) => {
      const statuses = new Map<number, number>()
      for (let i = 0; i < count; i += 1) {
        const status = await call()
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      return Object.fromEntries(statuses)
    }
    expect(await times(245, post)).toEqual({ 201: 240, 429: 5 })
    expect(await times(760, get)).toEqual({ 200: 755, 429: 5 })
  })
})
