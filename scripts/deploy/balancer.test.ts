import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { connect } from 'node:http2'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { uploadDocument } from '@guidon/contract/documents'
import { freePort } from '@guidon/sandbox/free-port'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const deploy = resolve(import.meta.dirname, '../../deploy')
const hasHaproxy = spawnSync('sh', ['-c', 'command -v haproxy openssl']).status === 0
const PATIENCE_MS = 10_000
const agent = new Agent({ rejectUnauthorized: false })

const folder = mkdtempSync(join(tmpdir(), 'guidon-balancer-'))
const ports = { http: 0, https: 0 }
const isReady = [true, true]
const apis: Server[] = []
let haproxy: ChildProcess

/** Tells by which API it was answered, and what that one was told. */
interface Echo {
  api: number
  headers: IncomingHttpHeaders
}

async function startApi(number: number): Promise<string> {
  const server = createServer((asked, response) => {
    if (asked.url === '/readyz') response.writeHead(isReady[number] ? 200 : 503).end()
    else response.end(JSON.stringify({ api: number, headers: asked.headers } satisfies Echo))
  })
  apis.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ask(headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port: ports.https, method, headers, agent })
  if (method === 'GET') sent.end()
  else sent.flushHeaders()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}
const echo = async (headers?: Record<string, string>) =>
  JSON.parse(await text(await ask(headers))) as Echo

describe.runIf(hasHaproxy)('the balancer', () => {
  beforeAll(async () => {
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-subj', '/CN=localhost']
    writeFileSync(
      join(folder, 'tls.pem'),
      execFileSync('openssl', ['req', '-x509', ...key], { stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    Object.assign(ports, { http: await freePort(), https: await freePort() })
    haproxy = spawn('haproxy', ['-q', '-f', join(deploy, 'haproxy.cfg')], {
      env: {
        ...process.env,
        HTTP_BIND: `127.0.0.1:${ports.http}`,
        HTTPS_BIND: `127.0.0.1:${ports.https}`,
        TLS_FILE: join(folder, 'tls.pem'),
        API_1: await startApi(0),
        API_2: await startApi(1),
      },
      stdio: 'ignore',
    })
    await vi.waitFor(() => echo(), { timeout: PATIENCE_MS })
  }, 2 * PATIENCE_MS)
  afterAll(async () => {
    haproxy.kill('SIGKILL')
    await once(haproxy, 'exit')
    agent.destroy()
    for (const api of apis) api.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  it('tells the API who calls, whatever the caller says', async () => {
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

  it('lets the APIs take turns', async () => {
    const [first, second] = [await echo(), await echo()]
    expect(new Set([first.api, second.api])).toEqual(new Set([0, 1]))
  })

  it('sends from http to https', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/signin`, { redirect: 'manual' })
    expect(answer.status).toBe(308)
    expect(answer.headers.get('location')).toMatch(/^https:.*\/signin$/)
  })

  it('does not take what no upload can be', async () => {
    const answer = await ask({ 'Content-Length': String(200 * 1024 * 1024) }, 'POST')
    answer.destroy()
    expect(answer.statusCode).toBe(413)
  })

  it('takes no body that does not say its length', async () => {
    const answer = await ask({ 'Transfer-Encoding': 'chunked' }, 'POST')
    answer.destroy()
    expect(answer.statusCode).toBe(411)
  })

  it('takes no upload without a length over HTTP/2, and other requests without a body', async () => {
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

  it('sends nobody to an API that is not ready', { timeout: 2 * PATIENCE_MS }, async () => {
    isReady[0] = false
    await vi.waitFor(
      async () => {
        const answered = [await echo(), await echo(), await echo()]
        expect(answered.map(({ api }) => api)).toEqual([1, 1, 1])
      },
      { timeout: PATIENCE_MS, interval: 200 },
    )
  })
})
