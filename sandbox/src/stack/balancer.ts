import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  port: number
  close(): Promise<void>
}

export interface BalancerOptions {
  port?: number
  host?: string
  /** Origins of the servers behind it. Read for each request, so the list may change. */
  backends: readonly string[]
}

/** Belong to one connection, not to the request: each side makes its own. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'expect', 'te'])

/** One request to each backend in turn, passing over those that refuse the connection. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { port = 0, host = '127.0.0.1', backends } = options
  let next = 0
  const server = createServer((request, response) => {
    const first = next
    next += 1
    const order = backends.map((_, position) => backends[(first + position) % backends.length]!)
    pass(request, response, order)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function pass(request: IncomingMessage, response: ServerResponse, [backend, ...rest]: string[]) {
  if (backend === undefined) return refuse(response)
  const onward = forward(new URL(request.url ?? '/', backend), {
    method: request.method,
    headers: headersOnward(request),
    // A kept connection to a server that has since been killed would fail a request for nothing.
    agent: false,
  })
  let connected = false
  onward.once('socket', (socket) =>
    socket.once('connect', () => {
      connected = true
      request.pipe(onward)
    }),
  )
  onward.once('response', (answer) => passBack(answer, response))
  onward.once('error', () => {
    // Nothing of the body has been read before the connection stood, so another may still have it.
    if (!connected) pass(request, response, rest)
    else if (response.headersSent) response.destroy()
    else refuse(response)
  })
  endTogether(response, onward)
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.rawHeaders))
  answer.pipe(response)
  // A server that dies in the middle of its answer must not look like one that finished it.
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
}

function endTogether(response: ServerResponse, onward: ClientRequest): void {
  response.once('close', () => {
    if (!response.writableFinished) onward.destroy()
  })
}

function headersOnward(request: IncomingMessage): string[] {
  const headers = withoutConnection(request.rawHeaders, 'x-forwarded-for')
  const before = request.headersDistinct['x-forwarded-for'] ?? []
  const client = request.socket.remoteAddress ?? 'unknown'
  return [...headers, 'X-Forwarded-For', [...before, client].join(', ')]
}

/** In the flat form that keeps the order, the case and each of several cookies. */
function withoutConnection(raw: readonly string[], ...others: string[]): string[] {
  const kept: string[] = []
  for (let position = 0; position < raw.length; position += 2) {
    const name = raw[position]!
    const lower = name.toLowerCase()
    if (!OF_THE_CONNECTION.has(lower) && !others.includes(lower))
      kept.push(name, raw[position + 1]!)
  }
  return kept
}

function refuse(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/plain' })
  response.end('No server answered.\n')
}
