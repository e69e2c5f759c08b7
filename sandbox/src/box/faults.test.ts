import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBox } from './box.ts'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import type { FaultMode } from './faults.ts'
import { filesOnDisk, downloaded, refusal, sdkFor, sha1, uploadOf } from './sdk.ts'

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

const getFolder = () => sdk.folders.getFolderById('0')
const upload = (client = sdk) => client.uploads.uploadFile(uploadOf('a.pdf', 'bytes'))

describe('faults', () => {
  it.each([
    ['500', 500, 'internal_server_error', undefined],
    ['503', 503, 'unavailable', '1'],
    ['429', 429, 'rate_limit_exceeded', '1'],
    ['403', 403, 'access_denied_insufficient_permissions', undefined],
    ['full', 403, 'storage_limit_exceeded', undefined],
  ] as const)(
    'respond with %s for the given number of calls',
    async (mode, status, code, after) => {
      await sandbox.fault({ mode, times: 1 })
      const { statusCode, body, headers } = await refusal(upload())
      expect(statusCode).toBe(status)
      expect(body).toMatchObject({ type: 'error', status, code })
      expect(headers['retry-after']).toBe(after)
      expect(await sandbox.files()).toEqual([])
      await upload()
      expect(await sandbox.stats()).toMatchObject({ uploads: 1, faulted: 1 })
    },
  )

  it.each<[FaultMode, RegExp]>([
    ['down', /ECONNRESET|hang up/],
    ['lost-response', /ECONNRESET|hang up/],
  ])('cut the connection: %s', async (mode, message) => {
    await sandbox.fault({ mode })
    await expect(getFolder()).rejects.toThrow(message)
    await expect(getFolder()).rejects.toThrow(message)
    await sandbox.fault({ mode: 'none' })
    await getFolder()
  })

  // Box's SDK waits forever for the rest of such a response, unless it has a timeout.
  it('truncate a response', async () => {
    await sandbox.fault({ mode: 'truncated', times: 1 })
    const withTimeout = sdk.withTimeouts({ timeoutMs: 200 })
    await expect(withTimeout.folders.getFolderById('0')).rejects.toThrow(/timeout/)
    await withTimeout.folders.getFolderById('0')
  })

  it('truncate a download', async () => {
    const { id } = await sandbox.addFile('0', 'a.bin', Buffer.alloc(1_000_000))
    await sandbox.fault({ mode: 'truncated', times: 1 })
    const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
    const url = `${box.url}/2.0/files/${id}/content`
    const response = await fetch(url, { headers: { authorization } })
    expect(response.headers.get('content-length')).toBe('1000000')
    let received = 0
    const reading = async () => {
      for await (const chunk of response.body!) received += chunk.length
    }
    await expect(reading()).rejects.toThrow('terminated')
    expect(received).toBe(500_000)
    expect(await downloaded(sdk, id)).toHaveLength(1_000_000)
  })

  it('lose the response to a stored upload: a retry gets a conflict with the same file', async () => {
    const retrying = sdkFor(box, { maxRetriesOnException: 1 })
    await sandbox.fault({ mode: 'lost-response', times: 1, path: '/2.0/files/content' })
    const { statusCode, body } = await refusal(upload(retrying))
    expect(statusCode).toBe(409)
    expect(body.context_info?.conflicts).toMatchObject({ sha1: sha1('bytes') })
    expect(await sandbox.files()).toMatchObject([{ name: 'a.pdf', versions: [{}] }])
  })

  it('affect only calls with the given method and path', async () => {
    await sandbox.fault({ mode: '503', method: 'POST', path: '/2.0/files/*' })
    await getFolder()
    expect((await refusal(upload())).statusCode).toBe(503)
    await sandbox.fault({ mode: '503', path: '/2.0/folders/**' })
    await upload()
    expect((await refusal(getFolder())).statusCode).toBe(503)
  })

  it('expire the token of every call when no number of calls is given', async () => {
    await sandbox.fault({ mode: 'expired-token' })
    const retrying = sdkFor(box, { maxAttempts: 3 })
    expect((await refusal(retrying.folders.getFolderById('0'))).statusCode).toBe(401)
  })

  it('hold a call until it is released', async () => {
    await sandbox.fault({ mode: 'hang', times: 1 })
    const held = upload()
    await sandbox.waitForHeldCall()
    await getFolder()
    expect(await sandbox.files()).toEqual([])
    await sandbox.fault({ mode: 'none' })
    await held
    expect(await sandbox.stats()).toMatchObject({ uploads: 1, hanging: 0, abandoned: 0 })
  })

  it('do not store a held upload whose client has disconnected', async () => {
    await sandbox.fault({ mode: 'hang' })
    const disconnect = new AbortController()
    const held = sdk.uploads.uploadFile(uploadOf('a.pdf', 'bytes'), {
      cancellationToken: disconnect.signal,
    })
    await sandbox.waitForHeldCall()
    disconnect.abort()
    await expect(held).rejects.toThrow(/abort/i)
    await expect.poll(async () => (await sandbox.stats()).abandoned).toBe(1)
    await sandbox.fault({ mode: 'none' })
    expect(await sandbox.files()).toEqual([])
    expect(await filesOnDisk(box)).toBe(0)
  })

  it('make a call slow', async () => {
    await sandbox.fault({ mode: 'slow', times: 1, delayMs: 50 })
    const started = performance.now()
    await getFolder()
    expect(performance.now() - started).toBeGreaterThan(45)
  })

  it('do not affect the page and the control addresses', async () => {
    await sandbox.fault({ mode: 'down' })
    expect((await fetch(box.url)).status).toBe(200)
  })

  it('are refused with 422 when they are not valid', async () => {
    for (const body of ['', '{}', '{"mode":"explode"}', '{"mode":"500","times":0}', '[]']) {
      const response = await fetch(`${box.url}/faults`, { method: 'PUT', body })
      expect(response.status).toBe(422)
    }
    expect(await (await fetch(`${box.url}/faults`)).json()).toEqual({ mode: 'none' })
  })

  it('do not prevent the sandbox from closing', async () => {
    await sandbox.fault({ mode: 'hang' })
    const held = getFolder().catch((error: Error) => error.message)
    await sandbox.waitForHeldCall()
    await box.close()
    expect(await held).toMatch(/ECONNRESET|hang up/)
  })
})

describe('the rate limits', () => {
  const AT_ONCE = 50

  it('refuse calls above the limit, and allow them again a minute later', async () => {
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

  it('are Box’s own by default: 1,000 calls and 240 uploads a minute', async () => {
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
      const counts: Record<number, number> = {}
      for (let left = count; left > 0; left -= AT_ONCE) {
        const batch = Array.from({ length: Math.min(left, AT_ONCE) }, call)
        for (const status of await Promise.all(batch)) counts[status] = (counts[status] ?? 0) + 1
      }
      return counts
    }
    expect(await times(245, post)).toEqual({ 201: 240, 429: 5 })
    expect(await times(760, get)).toEqual({ 200: 755, 429: 5 })
  })
})
