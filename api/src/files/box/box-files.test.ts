import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { startBoxStore } from '@guidon/tests/files/box-store'
import { filesFaultsSuite } from '@guidon/tests/files/files-faults-suite'
import { anyFile, contentOf, filesSuite, GROUP } from '@guidon/tests/files/files-suite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FilesRefused, FilesUnavailable } from '../port.ts'

const commit = { method: 'POST', path: '/2.0/files/upload_sessions/*/commit' }

/** Of calls that do not hang: on a busy machine, they must not time out. */
const LONG_TIMEOUTS = { timeoutMs: 15_000, bytesTimeoutMs: 15_000 }

filesSuite('Box', async () => (await startBoxStore()).store)

filesFaultsSuite(
  'Box',
  async (mode) => (await startBoxStore(['hang', 'slow'].includes(mode) ? {} : LONG_TIMEOUTS)).store,
  {
    folder: [{ method: 'POST', path: '/2.0/folders' }],
    upload: [{ method: 'POST', path: '/2.0/files/content' }],
    'upload large': [
      { method: 'POST', path: '/2.0/files/upload_sessions' },
      { method: 'PUT', path: '/2.0/files/upload_sessions/*' },
      commit,
    ],
    replace: [
      { method: 'GET', path: '/2.0/files/*' },
      { method: 'POST', path: '/2.0/files/*/content' },
    ],
    'replace large': [{ method: 'POST', path: '/2.0/files/**/upload_sessions' }, commit],
    download: [{ method: 'GET', path: '/2.0/files/*/content' }],
  },
  {
    down: { code: 'unreachable', repeats: true },
    hang: { code: 'timeout' },
    '500': { code: 'failed' },
    '503': { code: 'failed', likeAnother: true },
    '429': { code: 'too_many_calls', likeAnother: true },
    '403': { code: 'no_access', likeAnother: true },
    'expired-token': { code: 'no_access', repeats: true },
    truncated: { code: 'unreachable', likeAnother: true },
    'lost-response': { code: 'unreachable', repeats: true },
    slow: { code: 'timeout', likeAnother: true },
    '202': { code: 'not_ready', repeats: true, onlyAt: /commit$|^GET .*content$/ },
  },
)

describe('the adapter for Box', () => {
  let box: Awaited<ReturnType<typeof startBoxStore>>
  let folderId: string
  const bytes = randomBytes(1_000)
  const upload = (name = 'a.pdf') => box.store.files.upload(folderId, contentOf(name, bytes))

  beforeEach(async () => {
    box = await startBoxStore()
    folderId = await box.store.files.folder('veteran-1', GROUP)
  })
  afterEach(() => box.store.close())

  it.each([
    '../folders/0/items?fields=name#',
    '../users/me',
    '1/../2',
    '1?x',
    ' 1',
    '',
    '1'.repeat(21),
  ])('asks Box for nothing by an id that is not digits: %j', async (id) => {
    const { files } = box.store
    const refused = { name: 'FilesRefused', code: 'not_found' }
    const content = contentOf('a.pdf', bytes)
    await expect(files.download(id, anyFile)).rejects.toMatchObject(refused)
    await expect(files.find(id, anyFile)).rejects.toMatchObject(refused)
    await expect(files.replace(id, content, anyFile)).rejects.toMatchObject(refused)
    await expect(files.upload(id, content)).rejects.toMatchObject(refused)
  })

  it.each(['429', '503'] as const)('reports the wait that Box requests: %s', async (mode) => {
    await box.sandbox.fault({ mode })
    await expect(upload()).rejects.toMatchObject({ retryAfterSeconds: 1 })
  })

  it('reports a full account with its own code, for small and large files and new versions', async () => {
    const id = await upload()
    await box.sandbox.fault({ mode: 'full' })
    const full = new FilesUnavailable('no_space')
    const { files } = box.store
    await expect(upload('b.pdf')).rejects.toThrow(full)
    const large = contentOf('large.pdf', randomBytes(250_000))
    await expect(files.upload(folderId, large)).rejects.toThrow(full)
    await expect(files.replace(id, large, anyFile)).rejects.toThrow(full)
    await expect(files.find(id, anyFile)).resolves.toBeUndefined()
    await box.sandbox.fault({ mode: 'none' })
    await files.upload(folderId, large)
  })

  it('waits as long as Box requests before it repeats a commit', async () => {
    await box.sandbox.fault({ mode: '202', times: 2 })
    const started = performance.now()
    await box.store.files.upload(folderId, contentOf('b.pdf', randomBytes(250_000)))
    expect(performance.now() - started).toBeGreaterThan(2_000)
  })

  it('finds the file whose commit succeeded although the response was lost', async () => {
    const content = contentOf('b.pdf', randomBytes(250_000))
    await box.sandbox.fault({ mode: 'lost-response', times: 1, path: '/2.0/files/*/*/commit' })
    const id = await box.store.files.upload(folderId, content)
    expect(await box.sandbox.files()).toMatchObject([{ id, sha1: content.sha1 }])
    expect((await box.sandbox.stats()).calls).toMatchObject({
      'session.commit': 2,
      'session.create': 1,
    })
  })

  it('requests one new token when the token of many calls has expired', async () => {
    await box.sandbox.reset()
    const names = Array.from({ length: 10 }, (_, n) => `veteran-${n}`)
    await Promise.all(names.map((name) => box.store.files.folder(name, GROUP)))
    expect((await box.sandbox.stats()).calls).toMatchObject({ token: 1, 'folder.create': 30 })
    expect(box.warnings).toHaveLength(10)
  })

  it('never shows its token or its secret', async () => {
    const shown = (error: unknown) =>
      [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error)].join()
    for (const mode of ['500', 'expired-token', 'down', 'truncated', 'hang', '429'] as const) {
      await box.sandbox.fault({ mode })
      const shownText = await upload().then(() => 'not refused', shown)
      expect(shownText).toContain('FilesUnavailable')
      expect(shownText).not.toMatch(/bearer |sandbox-secret/i)
    }
    expect(JSON.stringify(box.warnings)).not.toMatch(/bearer|authorization/i)
  })

  it('is unavailable with a wrong secret', async () => {
    const wrong = await startBoxStore({ clientSecret: 'wrong' })
    await expect(wrong.store.files.folder('veteran-1', GROUP)).rejects.toThrow(
      new FilesUnavailable('no_access'),
    )
    await wrong.store.close()
  })

  it('refuses a file with the name of a folder, and a folder with the name of a file', async () => {
    const taken = new FilesRefused('name_taken')
    await box.sandbox.addFolder('a.pdf', folderId)
    await expect(upload()).rejects.toThrow(taken)
    const group = (await box.sandbox.folders()).find(({ name }) => name === GROUP)!
    await box.sandbox.addFile(group.id, 'veteran-2', 'text')
    await expect(box.store.files.folder('veteran-2', GROUP)).rejects.toThrow(taken)
  })

  it.each(['a/b.pdf', '..', `${'x'.repeat(256)}.pdf`])('refuses the name %s', async (name) => {
    await expect(upload(name)).rejects.toThrow(new FilesRefused('name_invalid'))
  })

  it('stays below the rate limits of Box', async () => {
    const limited = await startBoxStore(
      { callsPerMinute: 20, uploadsPerMinute: 10, maxRateLimitWaitMs: 0 },
      { callsPerMinute: 20, uploadsPerMinute: 10 },
    )
    const calls = Array.from({ length: 50 }, (_, n) => limited.store.files.folder(`v-${n}`, GROUP))
    const outcomes = await Promise.allSettled(calls)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'own_pace' })
    expect((await limited.sandbox.stats()).rateLimited).toBe(0)
    await limited.store.close()
  })
})

describe('a download that Box redirects', () => {
  it('is fetched from the other host without our token', async () => {
    const seen: (string | undefined)[] = []
    const elsewhere = await listening((request, response) => {
      seen.push(request.headers.authorization)
      response.end('the bytes')
    })
    const api = await listening((request, response) => {
      if (request.url === '/oauth2/token')
        return response.end('{"access_token":"t","expires_in":9}')
      if (!request.url?.includes('/content')) {
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"type":"file","id":"1","file_version":{"type":"file_version","id":"2"}}')
      }
      seen.push(request.headers.authorization)
      return response.writeHead(302, { location: `${elsewhere.url}/x` }).end()
    })
    const { store } = await startBoxStore({ apiUrl: api.url })
    expect(await text((await store.files.download('1', anyFile)).bytes)).toBe('the bytes')
    expect(seen).toEqual(['Bearer t', undefined])
    await Promise.all([store.close(), elsewhere.close(), api.close()])
  })
})

async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
