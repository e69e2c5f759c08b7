import { createServer, request as send } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../http-server.ts'
import type { Listening } from '../http-server.ts'

interface BalancerOptions {
  port?: number
  host?: string
  /** Origins of the backends. Read for each request, so the list may change. */
  backends: readonly string[]
}

/** These headers belong to one connection and are not forwarded. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'expect', 'te'])

/** A round-robin balancer that skips backends which refuse the connection. */
export async function startBalancer(options: BalancerOptions): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', backends } = options
  let next = 0
  const server = createServer((request, response) => {
    const first = next
    next += 1
    const order = backends.map((_, position) => backends[(first + position) % backends.length]!)
    forward(request, response, order)
  })
  return listen(server, { host, port })
}

function forward(request: IncomingMessage, response: ServerResponse, [backend, ...rest]: string[]) {
  if (backend === undefined) return badGateway(response)
  const forwarded = send(new URL(request.url ?? '/', backend), {
    method: request.method,
    headers: forwardedHeaders(request),
    // A reused connection to a backend that was killed meanwhile would fail the request.
    agent: false,
  })
  let connected = false
  forwarded.once('socket', (socket) =>
    socket.once('connect', () => {
      connected = true
      request.pipe(forwarded)
    }),
  )
  forwarded.once('response', (reply) => sendBack(reply, response))
  forwarded.once('error', () => {
    // The body is not read before the connection is open, so the next backend can still get it.
    if (!connected) forward(request, response, rest)
    else if (response.headersSent) response.destroy()
    else badGateway(response)
  })
  abortOnDisconnect(response, forwarded)
}

function sendBack(reply: IncomingMessage, response: ServerResponse): void {
  response.writeHead(reply.statusCode ?? 502, withoutHopByHop(reply.rawHeaders))
  reply.pipe(response)
  // The client must be able to tell an incomplete response from a complete one.
  reply.once('close', () => {
    if (!reply.complete) response.destroy()
  })
}

function abortOnDisconnect(response: ServerResponse, forwarded: ClientRequest): void {
  response.once('close', () => {
    if (!response.writableFinished) forwarded.destroy()
  })
}

function forwardedHeaders(request: IncomingMessage): string[] {
  const headers = withoutHopByHop(request.rawHeaders, 'x-forwarded-for')
  const earlierAddresses = request.headersDistinct['x-forwarded-for'] ?? []
  const client = request.socket.remoteAddress ?? 'unknown'
  return [...headers, 'X-Forwarded-For', [...earlierAddresses, client].join(', ')]
}

/** Takes and returns Node's raw form (name, value, name, value), which keeps order, case and repeated headers. */
function withoutHopByHop(raw: readonly string[], ...others: string[]): string[] {
  const headers: string[] = []
  for (let position = 0; position < raw.length; position += 2) {
    const name = raw[position]!
    const lower = name.toLowerCase()
    if (!HOP_BY_HOP.has(lower) && !others.includes(lower)) headers.push(name, raw[position + 1]!)
  }
  return headers
}

function badGateway(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/plain' })
  response.end('No backend responded.\n')
}
