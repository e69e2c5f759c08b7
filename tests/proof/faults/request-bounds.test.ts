import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { stalledBodies } from '../../support/attacks/stalled-bodies.ts'
import { bareApp } from '../../support/bare-app.ts'
import { figures, headline } from '../figures.ts'

const BODY_TIMEOUT_MS = 300
/** Includes the data in the socket buffers of both sides. */
const MAX_BYTES_AFTER_RESPONSE = 40_000_000

const origin = 'https://portal.example.org'
const app = await bareApp({ publicUrl: origin, bodyTimeoutMs: BODY_TIMEOUT_MS })
app.post('/auth/login', (request, reply) => reply.send(request.body))
const base = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

/** Returns everything that the server sends until it closes the connection. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
const headersOf = (response: string) => new Set(response.toLowerCase().match(/^[a-z-]+(?=: )/gm))

describe('a body', () => {
  it('that stalls gets a response, even without a session, and its connection is closed', async () => {
    const started = performance.now()
    const attack = stalledBodies({ base, origin })
    await attack.closed
    const closedAfter = Math.round(performance.now() - started)
    figures('stalled bodies', {
      requests: attack.responses().length,
      'refused with 408': attack
        .responses()
        .filter((response) => response.startsWith('HTTP/1.1 408')).length,
      'limit ms': BODY_TIMEOUT_MS,
      'ms until all were closed': closedAfter,
    })
    headline.max({ 'timeout of a body ms': BODY_TIMEOUT_MS, 'ms until closed': closedAfter })
    expect(attack.responses()).toHaveLength(5)
    for (const response of attack.responses()) {
      expect(response).toMatch(/^HTTP\/1\.1 408 /)
      expect(response).toContain('{"code":"bad_request"}')
    }
  })

  it.each([
    ['from another site', '/auth/login', 'https://evil.example', 403],
    ['to no route', '/nowhere', origin, 404],
    ['to an address that cannot be decoded', '/%zz', origin, 400],
  ])('%s gets a response without waiting for the rest', async (_, path, from, status) => {
    const attack = stalledBodies({ base, origin: from }, { count: 1, path, length: 1_000 })
    await attack.closed
    expect(attack.responses()[0]).toMatch(new RegExp(`^HTTP/1\\.1 (${status}|408) `))
  })

  it('of a form that no route accepts gets a response without waiting for the rest', async () => {
    const type = 'multipart/form-data; boundary=x'
    const attack = stalledBodies({ base, origin }, { count: 1, type, length: 1_000_000_000 })
    await attack.closed
    expect(attack.responses()[0]).toMatch(/^HTTP\/1\.1 /)
  })

  it('is read only for a short time after the response was sent', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1').resume()
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    socket.write(
      `POST /nowhere HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n',
    )
    let sent = 0
    const part = Buffer.alloc(64 * 1024, 'a')
    while (!socket.destroyed && sent < 250_000_000) {
      sent += part.length
      socket.write(`${part.length.toString(16)}\r\n`)
      socket.write(part)
      const flushed = socket.write('\r\n')
      if (!flushed) await Promise.race([once(socket, 'drain'), closed]).catch(() => {})
    }
    await closed
    figures('an endless body after its refusal', {
      'MB sent until it was closed': (sent / 1e6).toFixed(1),
      'limit MB': MAX_BYTES_AFTER_RESPONSE / 1e6,
    })
    headline.max({
      'MB read after a refusal': sent / 1e6,
      'limit MB': MAX_BYTES_AFTER_RESPONSE / 1e6,
    })
    expect(sent).toBeLessThan(MAX_BYTES_AFTER_RESPONSE)
  })
})

describe('an invalid request', () => {
  it('gets a response with the usual security headers', async () => {
    const ordinary = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const nonSecurity = /^(access-control-.*|content-length|content-type|date|vary|x-request-id)$/
    const expected = [...headersOf(ordinary)].filter((name) => !nonSecurity.test(name))
    expect(expected).toEqual(
      expect.arrayContaining(['strict-transport-security', 'permissions-policy']),
    )
    const badUrl = await raw('GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(badUrl).toMatch(/^HTTP\/1\.1 400 /)
    expect([...headersOf(badUrl)]).toEqual(expect.arrayContaining(expected))
    expect(badUrl).not.toContain('%zz')
    const notHttp = await raw('EHLO mail.example\r\n\r\n')
    expect(notHttp).toMatch(/^HTTP\/1\.1 400 /)
    expect([...headersOf(notHttp)]).toEqual(expect.arrayContaining(expected))
    const endlessHead = await raw(`GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)
    expect(endlessHead).toMatch(/^HTTP\/1\.1 431 /)
    expect([...headersOf(endlessHead)]).toEqual(expect.arrayContaining(expected))
  })
})
