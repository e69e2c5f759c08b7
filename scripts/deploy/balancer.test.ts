import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { connect } from 'node:http2'
import { Agent, request } from 'node:https'
import { connect as connectTcp } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { uploadDocument } from '@guidon/contract/documents'
import { unsubscribe } from '@guidon/contract/notices'
import { refusalBody } from '@guidon/contract/refusal'
import { freePort } from '@guidon/sandbox/free-port'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const deploy = resolve(import.meta.dirname, '../../deploy')
const hasHaproxy = spawnSync('sh', ['-c', 'command -v haproxy openssl']).status === 0
const TIMEOUT_MS = 10_000
const agent = new Agent({ rejectUnauthorized: false })

const folder = mkdtempSync(join(tmpdir(), 'guidon-balancer-'))
const ports = { http: 0, https: 0 }
const statistics = join(folder, 'stats.sock')
const CONNECTIONS = 20
const REQUESTS = 100
/** With a port, as in deploy/trial.env. */
const portal = 'https://localhost:8443'
const isReady = [true, true]
const apis: Server[] = []
let haproxy: ChildProcess

/** Which API responded, and which headers it received. */
interface Echo {
  api: number
  headers: IncomingHttpHeaders
}

async function startApi(number: number): Promise<string> {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/readyz') response.writeHead(isReady[number] ? 200 : 503).end()
    else response.end(JSON.stringify({ api: number, headers: incoming.headers } satisfies Echo))
  })
  apis.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function send(
  headers: Record<string, string> = {},
  method = 'GET',
  path = '/',
): Promise<IncomingMessage> {
  const outgoing = request({ host: '127.0.0.1', port: ports.https, path, method, headers, agent })
  if (method === 'GET') outgoing.end()
  else outgoing.flushHeaders()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}
/** On a connection of its own. */
async function sendFrom(localAddress: string): Promise<IncomingMessage> {
  const to = { host: '127.0.0.1', port: ports.https, localAddress, rejectUnauthorized: false }
  const [response] = (await once(request({ ...to, agent: false }).end(), 'response')) as [
    IncomingMessage,
  ]
  return response
}
const overHttp = (method: string, headers: Record<string, string>) =>
  fetch(`http://127.0.0.1:${ports.http}/signin`, { method, headers, redirect: 'manual' })
const echo = async (headers?: Record<string, string>) =>
  JSON.parse(await text(await send(headers))) as Echo

describe.runIf(hasHaproxy)('the balancer', () => {
  beforeAll(async () => {
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-subj', '/CN=localhost']
    writeFileSync(
      join(folder, 'tls.pem'),
      execFileSync('openssl', ['req', '-x509', ...key], { stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    Object.assign(ports, { http: await freePort(), https: await freePort() })
    writeFileSync(join(folder, 'extra.cfg'), `global\n    stats socket ${statistics}\n`)
    haproxy = spawn(
      'haproxy',
      ['-q', '-f', join(deploy, 'haproxy.cfg'), '-f', join(folder, 'extra.cfg')],
      {
        env: {
          ...process.env,
          HTTP_BIND: `127.0.0.1:${ports.http}`,
          HTTPS_BIND: `127.0.0.1:${ports.https},[::1]:${ports.https}`,
          CONNECTIONS_OF_ADDRESS: String(CONNECTIONS),
          REQUESTS_OF_ADDRESS: String(REQUESTS),
          PUBLIC_URL: portal,
          TLS_FILE: join(folder, 'tls.pem'),
          MAINTENANCE_PAGE: join(deploy, 'maintenance.html'),
          API_1: await startApi(0),
          API_2: await startApi(1),
        },
        stdio: 'ignore',
      },
    )
    await vi.waitFor(() => echo(), { timeout: TIMEOUT_MS })
  }, 2 * TIMEOUT_MS)
  afterAll(async () => {
    haproxy.kill('SIGKILL')
    await once(haproxy, 'exit')
    agent.destroy()
    for (const api of apis) api.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  it('passes the client address to the API, and ignores the forwarded headers of the client', async () => {
    const { headers } = await echo({
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Host': 'elsewhere.example',
      Forwarded: 'for=203.0.113.9',
    })
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(headers['x-forwarded-proto']).toBe('https')
    expect(headers).not.toHaveProperty('x-forwarded-host')
    expect(headers).not.toHaveProperty('forwarded')
  })

  it('distributes requests to both APIs in turn', async () => {
    const [first, second] = [await echo(), await echo()]
    expect(new Set([first.api, second.api])).toEqual(new Set([0, 1]))
  })

  it('redirects pages from http to https', async () => {
    const response = await overHttp('GET', { accept: 'text/html,*/*;q=0.8' })
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(`${portal}/signin`)
  })

  it('refuses everything else over http, so that a program notices it', async () => {
    for (const [method, accept] of [
      ['GET', 'application/json'],
      ['POST', 'text/html'],
    ] as const) {
      expect((await overHttp(method, { accept })).status).toBe(403)
    }
  })

  it('accepts TLS 1.2 and later only, and prefers the latest version and the strongest cipher', async () => {
    const protocolOf = async (options: ConnectionOptions) => {
      const socket = connectTls({ port: ports.https, rejectUnauthorized: false, ...options })
      await once(socket, 'secureConnect')
      const found = `${socket.getProtocol()} ${socket.getCipher().name}`
      socket.destroy()
      return found
    }
    const weakestFirst = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384'
    expect(await protocolOf({ ciphers: weakestFirst })).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384')
    const tls12 = { maxVersion: 'TLSv1.2' } as const
    expect(await protocolOf(tls12)).toBe('TLSv1.2 ECDHE-RSA-AES256-GCM-SHA384')
    await expect(protocolOf({ ...tls12, ciphers: 'AES128-SHA' })).rejects.toThrow(/handshake/)
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const
    await expect(protocolOf(old)).rejects.toThrow(/alert protocol version/)
  })

  it('adds the security headers to its own responses', async () => {
    const response = await send({ 'Transfer-Encoding': 'chunked' }, 'POST')
    response.destroy()
    expect(response.headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })

  it('refuses a body that is too large for any upload', async () => {
    const response = await send({ 'Content-Length': String(200 * 1024 * 1024) }, 'POST')
    response.destroy()
    expect(response.statusCode).toBe(413)
  })

  it('refuses a body without a length', async () => {
    const response = await send({ 'Transfer-Encoding': 'chunked' }, 'POST')
    response.destroy()
    expect(response.statusCode).toBe(411)
  })

  it('accepts a body without a length for unsubscribing with one click', async () => {
    const path = `${unsubscribe.path}?token=x`
    const response = await send({ 'Transfer-Encoding': 'chunked' }, 'POST', path)
    response.destroy()
    expect(response.statusCode).toBe(200)
  })

  it('over HTTP/2, refuses an upload without a length and accepts requests that have no body', async () => {
    const session = connect(`https://127.0.0.1:${ports.https}`, { rejectUnauthorized: false })
    const statusOf = async (method: string, path: string, endStream: boolean) => {
      const stream = session.request({ ':method': method, ':path': path }, { endStream })
      stream.on('error', () => {})
      const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
      stream.close()
      return headers[':status']
    }
    try {
      expect(await statusOf('POST', uploadDocument.path, false)).toBe(411)
      expect(await statusOf('POST', '/auth/logout', true)).toBe(200)
      expect(await statusOf('DELETE', '/admin/users/1', true)).toBe(200)
    } finally {
      session.destroy()
    }
  })

  it('refuses the connections of one address above its limit at once, and serves others', async () => {
    const [busy, other] = ['127.0.0.8', '127.0.0.9']
    const to = { port: ports.https, host: '127.0.0.1', localAddress: busy }
    const open = () => connectTcp(to).on('error', () => {})
    const silent = Array.from({ length: CONNECTIONS + 2 }, open)
    const countRefused = () => silent.filter(({ destroyed }) => destroyed).length
    try {
      // The balancer accepts a connection before it refuses it, and not always in the order in which they were opened.
      await expect.poll(countRefused, { timeout: 20_000 }).toBe(2)
      expect((await sendFrom(other)).statusCode).toBe(200)
      expect(countRefused()).toBe(2)
    } finally {
      for (const socket of silent) socket.destroy()
    }
  })

  it('refuses the requests of one address above its limit in the format of the contract, and serves others', async () => {
    const [busy, other] = ['127.0.0.10', '127.0.0.11']
    for (let count = 0; count < REQUESTS; count += 1)
      expect((await sendFrom(busy)).statusCode).toBe(200)
    const response = await sendFrom(busy)
    expect(response).toMatchObject({ statusCode: 429, headers: { 'retry-after': '30' } })
    refusalBody.parse(JSON.parse(await text(response)))
    expect((await sendFrom(other)).statusCode).toBe(200)
  })

  it('counts a whole /64 of IPv6 as one address', async () => {
    const socket = connectTcp({ port: ports.https, host: '::1' })
    await once(socket, 'connect')
    const table = connectTcp(statistics)
    table.end('show table addresses\n')
    expect(await text(table)).toMatch(/key=:: .*conn_cur=1/)
    socket.destroy()
  })

  it('sends no request to an API that is not ready', { timeout: 2 * TIMEOUT_MS }, async () => {
    isReady[0] = false
    await vi.waitFor(
      async () => {
        const responses = [await echo(), await echo(), await echo()]
        expect(responses.map(({ api }) => api)).toEqual([1, 1, 1])
      },
      { timeout: TIMEOUT_MS, interval: 200 },
    )
  })

  it(
    'shows a page with the crisis line while no API is ready',
    { timeout: 2 * TIMEOUT_MS },
    async () => {
      isReady.fill(false)
      await vi.waitFor(
        async () => {
          const response = await send()
          const page = await text(response)
          expect(response.statusCode).toBe(503)
          expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
          expect(response.headers['cache-control']).toBe('no-store')
          expect(response.headers['retry-after']).toBe('30')
          expect(page).toContain('<a href="tel:988">dial 988, then press 1</a>')
        },
        { timeout: TIMEOUT_MS, interval: 200 },
      )
    },
  )

  it('refuses calls of the web app in the format of the contract while no API is ready', async () => {
    // The web app sends this Accept header. No API has been ready since the previous test.
    const response = await send({ Accept: 'application/json' }, 'GET', '/auth/check')
    expect(response.statusCode).toBe(503)
    expect(response.headers['content-type']).toBe('application/json')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['retry-after']).toBe('30')
    const body = refusalBody.parse(JSON.parse(await text(response)))
    expect(body).toEqual({ code: 'unavailable' })
    const page = await send({ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    page.resume()
  })
})
