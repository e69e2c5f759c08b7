import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { login } from '@guidon/contract/auth'
import { uploadDocument } from '@guidon/contract/documents'
import { boot } from '@guidon/tests/boot'
import { samplePdf } from '@guidon/tests/files/made-pdf'
import { formOf } from '@guidon/tests/test-client'
import { expect, it, vi } from 'vitest'

it('closing the app finishes requests in flight', async () => {
  const testApp = await boot({ worker: false })
  const accounts = await Promise.all(Array.from({ length: 10 }, () => testApp.account()))
  let arrived = 0
  testApp.app.server.on('request', () => (arrived += 1))
  const responses = accounts.map((body) => testApp.newClient().call(login, { body }))
  await vi.waitUntil(() => arrived === accounts.length, { timeout: 60_000, interval: 1 })
  await testApp.close()
  for (const response of await Promise.all(responses)) expect(response.status).toBe(204)
  await expect(testApp.newClient().send('GET', '/healthz')).rejects.toThrow('fetch failed')
})

it('closing the app waits for the second half of an upload', async () => {
  const testApp = await boot()
  const client = await testApp.withSession(await testApp.account())
  const fields = { documentType: 'Other' }
  const form = new Response(formOf({ name: 'letter.pdf', bytes: samplePdf() }, fields))
  const body = Buffer.from(await form.arrayBuffer())
  const upload = request(testApp.base + uploadDocument.path, {
    method: 'POST',
    headers: {
      origin: testApp.config.PUBLIC_URL,
      cookie: [...client.cookies].map((pair) => pair.join('=')).join('; '),
      'content-type': form.headers.get('content-type')!,
      'content-length': body.length,
    },
  })
  const arrived = once(testApp.app.server, 'request')
  upload.write(body.subarray(0, body.length / 2))
  await arrived
  const closed = testApp.close()
  // Long enough for a server that does not wait to close.
  await once(testApp.app.server, 'close', { signal: AbortSignal.timeout(1_000) }).catch(() => {})
  upload.end(body.subarray(body.length / 2))
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(201)
  expect(response.headers.connection).toBe('close')
  await closed
})

it('closing the app does not wait for a connection without a request', async () => {
  const testApp = await boot({ worker: false })
  const silent = connect(Number(new URL(testApp.base).port), '127.0.0.1').resume()
  await Promise.all([once(silent, 'connect'), once(testApp.app.server, 'connection')])
  const ended = once(silent, 'close')
  await testApp.close()
  expect(await ended).toEqual([false])
})
