import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { startBalancer } from './balancer.ts'

const running: { close(): unknown }[] = []

afterEach(async () => {
  for (const server of running.splice(0).toReversed()) await server.close()
})

async function backend(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  running.push({ close: () => server.closeAllConnections() }, server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

async function balance(...backends: string[]): Promise<string> {
  const balancer = await startBalancer({ backends })
  running.push(balancer)
  return `http://127.0.0.1:${balancer.port}`
}

const namedBackend = (name: string) => backend((_, response) => response.end(name))
const read = async (url: string) => (await fetch(url)).text()

describe('the balancer', () => {
  it('sends requests to each server in turn', async () => {
    const url = await balance((await namedBackend('a')).url, (await namedBackend('b')).url)
    expect([await read(url), await read(url), await read(url)]).toEqual(['a', 'b', 'a'])
  })

  it('skips a server that refuses the connection, and the next one gets the body', async () => {
    const dead = await namedBackend('dead')
    const alive = await backend((request, response) => request.pipe(response))
    const url = await balance(dead.url, alive.url)
    dead.server.close()
    for (const body of ['one', 'two']) {
      expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(body)
    }
  })

  it('responds with 502 when no server is left', async () => {
    const dead = await namedBackend('dead')
    const url = await balance(dead.url)
    dead.server.close()
    expect((await fetch(url)).status).toBe(502)
  })

  it('keeps host, origin and cookies, and adds the address of the client', async () => {
    let seen: IncomingMessage | undefined
    const { url: target } = await backend((request, response) => {
      seen = request
      response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Kept', 'yes'])
      response.end()
    })
    const url = await balance(target)
    const response = await fetch(`${url}/some/path?q=1`, {
      headers: {
        origin: 'http://portal.example',
        cookie: 'session=x',
        'x-forwarded-for': '9.9.9.9',
      },
    })
    expect(seen?.url).toBe('/some/path?q=1')
    expect(seen?.headers).toMatchObject({
      host: new URL(url).host,
      origin: 'http://portal.example',
      cookie: 'session=x',
      'x-forwarded-for': '9.9.9.9, 127.0.0.1',
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('x-kept')).toBe('yes')
  })

  it('streams in both directions at once', async () => {
    const { url: target } = await backend((request, response) => request.pipe(response))
    const sending = send(await balance(target), { method: 'POST' })
    sending.write('first')
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    expect(String((await once(response, 'data'))[0])).toBe('first')
    sending.end('second')
    expect(await text(response)).toBe('second')
  })

  it('aborts the response when the server dies in the middle of it', async () => {
    const { url: target } = await backend((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    })
    await expect(read(await balance(target))).rejects.toThrow('terminated')
  })
})
