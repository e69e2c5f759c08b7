import { RESUMABLE_MIN_BYTES } from '@guidon/contract/documents'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads } from '../../../../test/fake-uploads.ts'
import { reply, stubNetwork } from '../../../../test/test-app.tsx'
import { configureCalls } from '../../../api/settings.ts'
import { uploadedOne } from '../sample-documents.ts'
import { fileSender } from './send-file.ts'
import type { Sent } from './sending.ts'
import { createStore } from './store.ts'
import { NO_UPLOADS } from './uploads-state.ts'

// As after a deploy, whose files have other names.
vi.mock('../../../api/resumable/send-in-parts.ts', () => {
  throw new Error('gone')
})

const PORTAL = '/brand/logo.svg'

function start(bytes: number, unfinishedId?: string) {
  const sent = stubUploads((upload) =>
    queueMicrotask(() => upload.respond(upload.method === 'DELETE' ? 204 : 201, uploadedOne)),
  )
  const shown: Sent[] = []
  const done = fileSender(createStore(NO_UPLOADS), () => {})({
    file: new File([new Uint8Array(bytes)], 'scan.pdf'),
    target: { documentType: 'Other' },
    unfinishedId,
    onProgress: (progress) => shown.push(progress),
    signal: new AbortController().signal,
  })
  return { done, shown, requests: () => sent.map(({ method, url }) => `${method} ${url}`) }
}

beforeEach(() => configureCalls({ host: '', onSessionEnd: () => {} }))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('waits for a connection to fetch its code', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  stubNetwork({ [PORTAL]: () => Promise.reject(new TypeError('offline')) })
  const { done, shown, requests } = start(10)
  await vi.waitFor(() => expect(shown).toEqual([{ sentFraction: 0, wait: 'connection' }]))
  onLine.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  expect(await done).toEqual(uploadedOne)
  expect(requests()).toEqual(['POST /box/uploadfile/me'])
})

it('sends a large file at once if the code for parts is gone, and deletes what was sent before', async () => {
  stubNetwork({ [PORTAL]: () => reply(200) })
  const { done, requests } = start(RESUMABLE_MIN_BYTES, 'u1')
  expect(await done).toEqual(uploadedOne)
  expect(requests()).toEqual(['POST /box/uploadfile/me', 'DELETE /uploads/me/u1'])
})
