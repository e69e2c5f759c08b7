import { fileProtected } from '@guidon/contract/document-refusals'
import { tooManyUploads, type Document } from '@guidon/contract/documents'
import { wrongOffset, type UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../../test/fake-uploads.ts'
import { reply, stubNetwork } from '../../../test/test-app.tsx'
import { configureCalls } from '../settings.ts'
import { DISCARDED, UPLOAD_PROGRESS } from '../upload-signals.ts'
import { fileGone } from './same-file.ts'
import { sendInParts, type ResumableUpload } from './send-in-parts.ts'

const MEGABYTE = 1024 * 1024
const document: Document = {
  id: 'd1',
  name: 'rating.pdf',
  type: 'Other',
  boxFileId: 'd1',
  lastUploadedDate: '2026-11-03T16:12:00.000Z',
  size: 20 * MEGABYTE,
  sha256: 'ab'.repeat(32),
}
const unfinished: UnfinishedUpload = {
  id: 'u1',
  name: 'rating.pdf',
  size: document.size!,
  offset: 0,
  expiresAt: '2026-11-04T16:12:00.000Z',
  documentType: 'Other',
  documentId: null,
  replaces: null,
  note: null,
  chunks: [],
}

type Handler = (upload: FakeUpload, server: Server) => unknown

interface Server {
  offset: number
  requests: string[]
  unfinished: UnfinishedUpload[]
}

const USUAL_HANDLERS: Record<string, Handler> = {
  'POST /uploads/me': (upload) => upload.respond(201, undefined, { Location: '/uploads/me/u1' }),
  'HEAD /uploads/me/u1': (upload, { offset }) =>
    upload.respond(200, undefined, { 'Upload-Offset': String(offset) }),
  'PATCH /uploads/me/u1': (upload, server) => {
    upload.progress(0.5)
    server.offset += upload.part!.size
    upload.respond(204, undefined, { 'Upload-Offset': String(server.offset) })
  },
  'POST /uploads/me/u1/finish': (upload) => upload.respond(201, document),
  'DELETE /uploads/me/u1': (upload) => upload.respond(204),
}

/** Ended after each test, or they would send requests to the next one. */
const started: AbortController[] = []

/** `faults`: what happens to the first, second … request instead of its usual handler. */
function start(faults: readonly (Handler | undefined)[] = [], changes: object = {}) {
  const server: Server = { offset: 0, requests: [], unfinished: [] }
  const sent = stubUploads((upload) => {
    const request = `${upload.method} ${upload.url}`
    const fault = faults[server.requests.push(request) - 1]
    queueMicrotask(() => (fault ?? USUAL_HANDLERS[request]!)(upload, server))
  })
  stubNetwork({ '/uploads/me': () => reply(200, server.unfinished) })
  const stop = new AbortController()
  started.push(stop)
  const shown: [share: number, status: number | undefined][] = []
  const done = sendInParts({
    file: new File([new Uint8Array(document.size!)], document.name),
    metadata: { documentType: 'Other' },
    isOwn: () => false,
    onId: () => {},
    onProgress: (share, failure) => shown.push([share, failure?.status]),
    onNotDeleted: () => {},
    signal: stop.signal,
    ...changes,
  })
  // Some tests look at the failure later.
  done.catch(() => {})
  return { server, sent, stop, shown, done }
}

const answer =
  (status: number, body?: unknown, headers: Record<string, string> = {}): Handler =>
  (upload) =>
    upload.respond(status, body, headers)
const cut: Handler = (upload) => upload.disconnect()
/** The server stores one megabyte of the part before the connection is lost. */
const cutInPart: Handler = (upload, server) => {
  upload.progress(0.9)
  server.offset += MEGABYTE
  upload.disconnect()
}

/** Not `vi.waitFor`, which advances the fake clock. */
async function untilSent({ requests }: Server, count: number): Promise<void> {
  while (requests.length < count) await vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  configureCalls({ host: '', onSessionEnd: () => {} })
})
afterEach(() => {
  for (const stop of started.splice(0)) stop.abort()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const PATCH = 'PATCH /uploads/me/u1'
const HEAD = 'HEAD /uploads/me/u1'
const FINISH = 'POST /uploads/me/u1/finish'

it('sends a file in parts of at most 8 MB, and returns the document', async () => {
  const { server, sent, done } = start()
  expect(await done).toEqual(document)
  expect(server.requests).toEqual(['POST /uploads/me', PATCH, PATCH, PATCH, FINISH])
  expect(sent[0]!.headers).toMatchObject({
    'Tus-Resumable': '1.0.0',
    'Upload-Length': String(document.size),
    'Upload-Metadata': `filename ${btoa('rating.pdf')},documentType ${btoa('Other')}`,
  })
  const parts = sent.filter(({ method }) => method === 'PATCH')
  expect(parts.map(({ headers, part }) => [headers['Upload-Offset'], part!.size])).toEqual([
    ['0', 8 * MEGABYTE],
    [String(8 * MEGABYTE), 8 * MEGABYTE],
    [String(16 * MEGABYTE), 4 * MEGABYTE],
  ])
})

it('continues after a lost connection with what the server has, and its progress never goes back', async () => {
  const { server, sent, shown, done } = start([undefined, cutInPart])
  expect(await done).toEqual(document)
  expect(server.requests.slice(1, 4)).toEqual([PATCH, HEAD, PATCH])
  expect(sent[3]!.headers['Upload-Offset']).toBe(String(MEGABYTE))
  const shares = shown.map(([share]) => share)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBe(1)
})

it('reports a failure only from the second in a row, and no longer after progress', async () => {
  const { shown, done } = start([undefined, cutInPart, cut, answer(502)])
  await done
  const waits = shown.filter(([, status]) => status !== undefined)
  expect(waits.map(([, status]) => status)).toEqual([0, 502])
  expect(shown.at(-1)).toEqual([1, undefined])
})

it.each([
  ['a 500', answer(500)],
  ['a 503', answer(503, { code: 'uploads_busy' })],
  ['a 408', answer(408, { code: 'upload_too_slow' })],
  ['too many uploads at once', answer(429, tooManyUploads)],
  ['an offset that the server does not have', answer(409, wrongOffset)],
  ['a 200 without an offset, as a proxy may send', answer(200)],
])('continues after %s', async (_, fault) => {
  const { done, server } = start([undefined, fault])
  expect(await done).toEqual(document)
  expect(server.requests.slice(1, 4)).toEqual([PATCH, HEAD, PATCH])
})

it('does not count repetitions without progress as activity of the user', async () => {
  const events = vi.fn<() => void>()
  addEventListener(UPLOAD_PROGRESS, events)
  const busy: Handler = (upload) => {
    upload.progress(0.5)
    upload.respond(503)
  }
  const { done } = start([undefined, busy, undefined, busy])
  await done
  // One for the first attempt, and one each for the second and third part.
  expect(events).toHaveBeenCalledTimes(3)
  removeEventListener(UPLOAD_PROGRESS, events)
})

it('waits longer after each failure, and continues at once when the network is back', async () => {
  vi.useFakeTimers()
  const { server, done } = start([undefined, ...Array<Handler>(8).fill(cut)])
  const requestsAfter = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    return server.requests.length
  }
  await untilSent(server, 2)
  expect(await requestsAfter(0.3)).toBe(3)
  expect(await requestsAfter(0.9)).toBe(3)
  expect(await requestsAfter(0.2)).toBe(4)
  expect(await requestsAfter(1.8)).toBe(4)
  dispatchEvent(new Event('online'))
  expect(await requestsAfter(0)).toBe(5)
  expect(await requestsAfter(3.9)).toBe(5)
  globalThis.document.dispatchEvent(new Event('visibilitychange'))
  expect(await requestsAfter(0)).toBe(6)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await done).toEqual(document)
})

it.each([
  ['as much as before', 0],
  ['more than the file', 21 * MEGABYTE],
])('pauses if the server says that it has %s', async (_, offset) => {
  vi.useFakeTimers()
  const wrong = answer(204, undefined, { 'Upload-Offset': String(offset) })
  const { server, done } = start([undefined, wrong])
  await untilSent(server, 2)
  await vi.advanceTimersByTimeAsync(200)
  expect(server.requests).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(100)
  expect(server.requests[2]).toBe(HEAD)
  expect(await done).toEqual(document)
})

it('asks for the document again if the response of the last request was lost', async () => {
  const { server, done } = start([...Array<undefined>(4), cut])
  expect(await done).toEqual(document)
  expect(server.requests.slice(4)).toEqual([FINISH, FINISH])
})

it('uses the upload that was created if the response was lost', async () => {
  const { server, done } = start([
    (upload, { unfinished: list }) => {
      list.push(unfinished)
      upload.disconnect()
    },
  ])
  await done
  expect(server.requests.slice(0, 2)).toEqual(['POST /uploads/me', PATCH])
})

it('starts anew, once, if the upload is gone', async () => {
  const gone = answer(404, { code: 'not_found' })
  const { server, done } = start([gone], { id: 'u1' })
  expect(await done).toEqual(document)
  expect(server.requests.slice(0, 3)).toEqual([HEAD, 'POST /uploads/me', PATCH])
  const again = start([gone, undefined, gone], { id: 'u1' })
  await expect(again.done).rejects.toMatchObject({ status: 404 })
})

it('stops when the server refuses the file', async () => {
  const { server, done } = start([...Array<undefined>(4), answer(422, fileProtected)])
  await expect(done).rejects.toMatchObject({ status: 422, message: fileProtected.message })
  expect(server.requests.at(-1)).toBe(FINISH)
})

it('stops when the part to send next cannot be read any more, which looks like a lost connection', async () => {
  const file = new File([new Uint8Array(document.size!)], 'moved.jpg')
  const slice = file.slice.bind(file)
  // The head of a cleaned photo is in memory, the rest is on the device.
  file.slice = (from = 0, to = 0) =>
    from < MEGABYTE ? slice(from, to) : Object.assign(slice(from, to), { arrayBuffer: moved })
  const moved = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  const { done } = start([undefined, undefined, cut], { file })
  await expect(done).rejects.toMatchObject({ message: fileGone.message })
})

it('stops after eight failures of the server that are not an outage', async () => {
  const { server, done } = start([undefined, ...Array<Handler>(40).fill(answer(500))])
  await vi.advanceTimersByTimeAsync(120_000)
  await expect(done).rejects.toMatchObject({ status: 500 })
  expect(server.requests).toHaveLength(9)
})

it('compares the file again if the server has more of it than this tab has sent', async () => {
  const chunks = [{ start: 0, sha256: 'ab' }]
  const other = { ...unfinished, offset: 8 * MEGABYTE, chunks }
  const { server, done } = start([], { id: 'u1' })
  Object.assign(server, { offset: 8 * MEGABYTE, unfinished: [other] })
  await expect(done).rejects.toMatchObject({ code: 'sent_elsewhere' })
  expect(server.requests).toEqual([HEAD])
})

it('finds its upload although the server has trimmed the texts', async () => {
  const metadata = { documentType: 'Other ', note: ' Page 3 ' }
  const file = new File([new Uint8Array(document.size!)], ' rating: "first".pdf')
  const { server, done } = start(
    [
      (upload, { unfinished: list }) => {
        list.push({ ...unfinished, name: 'rating first.pdf', note: 'Page 3' })
        upload.disconnect()
      },
    ],
    { metadata, file },
  )
  await done
  expect(server.requests.slice(0, 2)).toEqual(['POST /uploads/me', PATCH])
})

it('deletes an upload that is being created while the user discards it', async () => {
  const { server, stop, done } = start([
    (upload, state) => {
      stop.abort(DISCARDED)
      setTimeout(() => USUAL_HANDLERS['POST /uploads/me']!(upload, state), 100)
    },
  ])
  await expect(done).rejects.toBe(DISCARDED)
  await vi.waitFor(() => expect(server.requests.at(-1)).toBe('DELETE /uploads/me/u1'), 60_000)
})

it('deletes a discarded upload once the connection is back', async () => {
  const { server, stop, done } = start([undefined, () => stop.abort(DISCARDED), cut, cut])
  await expect(done).rejects.toBe(DISCARDED)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(server.requests.slice(2)).toEqual(Array(3).fill('DELETE /uploads/me/u1'))
})

it('says that a discarded upload could not be deleted', async () => {
  const onNotDeleted = vi.fn<ResumableUpload['onNotDeleted']>()
  const faults = [undefined, () => stop.abort(DISCARDED), ...Array<Handler>(20).fill(cut)]
  const { stop, done } = start(faults, { onNotDeleted })
  await expect(done).rejects.toBe(DISCARDED)
  await vi.advanceTimersByTimeAsync(180_000)
  expect(onNotDeleted).toHaveBeenCalledExactlyOnceWith('u1')
})

it('does not send an upload that another tab is sending', async () => {
  vi.stubGlobal('navigator', {
    locks: {
      request: (_: string, __: object, use: (lock: null) => unknown) => Promise.resolve(use(null)),
    },
  })
  const { server, done } = start([], { id: 'u1' })
  await expect(done).rejects.toMatchObject({ code: 'sent_elsewhere' })
  expect(server.requests).toEqual([])
})

it.each([
  ['deletes the upload when the user discards it', DISCARDED, true],
  ['keeps the upload when the user leaves', undefined, false],
])('%s', async (_, reason, deleted) => {
  const { server, stop, done } = start([undefined, () => stop.abort(reason)])
  await expect(done).rejects.toBeDefined()
  expect(server.requests.includes('DELETE /uploads/me/u1')).toBe(deleted)
})
