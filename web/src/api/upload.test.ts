import { replaceDocument, uploadDocument, type Document } from '@guidon/contract/documents'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads } from '../../test/fake-uploads.ts'
import { stubNetwork, reply } from '../../test/test-app.tsx'
import { CallFailure } from './call-failure.ts'
import { configureCalls } from './settings.ts'
import { upload } from './upload.ts'

const file = new File(['%PDF-1.7'], 'dd214.pdf', { type: 'application/pdf' })
const form = { documentType: 'Discharge papers', documentId: 'a1' }
const createdDocument: Document = {
  id: 'a1',
  name: 'dd214.pdf',
  type: 'Discharge papers',
  boxFileId: 'f1',
  lastUploadedDate: '2026-11-03T16:12:00.000Z',
  size: 8,
  sha256: 'ab'.repeat(32),
}

const onSessionEnd = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  onSessionEnd.mockReset()
  configureCalls({ host: '', onSessionEnd })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function settledOf(promise: Promise<unknown>) {
  const state: { failure?: unknown; response?: unknown } = {}
  promise.then(
    (answer) => (state.response = answer),
    (failure: unknown) => (state.failure = failure),
  )
  return state
}

const advanceSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

function start(options: { onProgress?: (share: number) => void; signal?: AbortSignal } = {}) {
  const sent = stubUploads()
  const state = settledOf(upload(uploadDocument, { file, form, ...options }))
  return { sent, state, first: sent[0]! }
}

it('sends the fields and then the file, with cookies, to the path of the contract', async () => {
  const { first, state } = start()
  expect([first.method, first.url, first.withCredentials]).toEqual([
    'POST',
    '/box/uploadfile/me',
    true,
  ])
  expect([...first.form.keys()]).toEqual(['documentType', 'documentId', 'file'])
  expect(first.form.get('documentType')).toBe('Discharge papers')
  expect(first.file.name).toBe('dd214.pdf')
  first.respond(201, createdDocument)
  await advanceSeconds(0)
  expect(state.response).toEqual(createdDocument)
})

it('leaves out a field that is not given, and puts parameters into the path', async () => {
  const sent = stubUploads()
  configureCalls({ host: 'https://api.test' })
  void upload(uploadDocument, { file, form: { documentType: 'Other' } }).catch(() => {})
  void upload(replaceDocument, { file, form: {}, params: { id: 'a/1' } }).catch(() => {})
  expect([...sent[0]!.form.keys()]).toEqual(['documentType', 'file'])
  expect(sent[1]!.url).toBe('https://api.test/box/version/a%2F1')
})

it('reports its progress', () => {
  const shares: number[] = []
  const { first } = start({ onProgress: (share) => shares.push(share) })
  first.progress(0.25)
  first.progress(0.5)
  first.finishSending()
  expect(shares).toEqual([0.25, 0.5, 1])
})

it('fails after 10 seconds without progress, however long it took before', async () => {
  const { first, state } = start()
  for (const share of [0.1, 0.2, 0.3]) {
    await advanceSeconds(9.9)
    first.progress(share)
  }
  await advanceSeconds(9.9)
  expect(state.failure).toBeUndefined()
  await advanceSeconds(0.2)
  expect(state.failure).toMatchObject({ status: 0, message: uploadDocument.failure })
  expect(first.aborted).toBe(true)
})

it('waits 60 seconds for the check once the whole file is sent', async () => {
  const { first, state } = start()
  first.progress(1)
  first.finishSending()
  await advanceSeconds(59.9)
  expect(state.failure).toBeUndefined()
  await advanceSeconds(0.2)
  expect(state.failure).toBeInstanceOf(CallFailure)
})

it("fails with the server's message, or with the default", async () => {
  for (const [body, message] of [
    [{ code: 'file_protected', message: 'It is locked.' }, 'It is locked.'],
    [undefined, 'Failed to upload document, please try again later.'],
  ] as const) {
    const { first, state } = start()
    first.respond(422, body, { 'Retry-After': '7' })
    await advanceSeconds(0)
    expect(state.failure).toMatchObject({ status: 422, message, retryAfterSeconds: 7 })
  }
})

it('fails with the default message when the connection breaks', async () => {
  const { first, state } = start()
  first.disconnect()
  await advanceSeconds(0)
  expect(state.failure).toMatchObject({ status: 0, message: uploadDocument.failure })
})

it.each([401, 403])('refreshes once after a %i, and sends the file again', async (status) => {
  const calls = stubNetwork({ '/auth/refresh': () => reply(204) })
  const { sent, state } = start()
  sent[0]!.respond(status)
  await advanceSeconds(0)
  expect(sent).toHaveLength(2)
  expect(sent[1]!.file.name).toBe('dd214.pdf')
  sent[1]!.respond(status)
  await advanceSeconds(0)
  expect(state.failure).toMatchObject({ status })
  expect(calls.map(({ path }) => path)).toEqual(['/auth/refresh'])
})

it('ends the session when the refresh is refused', async () => {
  stubNetwork({ '/auth/refresh': () => reply(401) })
  const { first } = start()
  first.respond(401)
  await advanceSeconds(0)
  expect(onSessionEnd).toHaveBeenCalledOnce()
})

it('stops on abort, before it starts and while sending, and then never times out', async () => {
  const stop = new AbortController()
  const { first, state } = start({ signal: stop.signal })
  stop.abort()
  await advanceSeconds(0)
  expect(first.aborted).toBe(true)
  expect(state.failure).toHaveProperty('name', 'AbortError')
  const again = start({ signal: stop.signal })
  await advanceSeconds(0)
  expect(again.sent).toEqual([])
  expect(again.state.failure).toHaveProperty('name', 'AbortError')
  expect(vi.getTimerCount()).toBe(0)
})
