import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Reply } from './call.ts'
import { answerControl } from './control.ts'
import { BoxError, tooManyRequests } from './errors.ts'
import type { Fault, Faults } from './faults.ts'
import type { House } from './house.ts'
import { send, sendHalf } from './send.ts'
import { UPLOAD_PREFIX, answerWire, isWire, kindOf } from './wire.ts'

const USUAL_DELAY_MS = 1_000
const RETRY_AFTER_SECONDS = 1

export async function startHttp(
  house: House,
  faults: Faults,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  const running = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const work = serve(request, response).catch((error: unknown) => {
      // A sender that leaves in the middle is its own business, not our failure.
      if (!request.socket.destroyed) console.error(error)
      response.destroy()
    })
    running.add(work)
    void work.finally(() => running.delete(work))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // What an early refusal left unread would block the connection, and the sender with it.
    response.once('finish', () => request.resume())
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://box')
    if (!isWire(pathname)) {
      return send(response, await answerControl({ house, faults, request, response }))
    }
    const wirePath = pathname.startsWith(UPLOAD_PREFIX)
      ? pathname.slice(UPLOAD_PREFIX.length)
      : pathname
    house.countCall(kindOf(request.method, pathname))
    const fault = faults.strike(request.method ?? 'GET', wirePath)
    if (fault.mode !== 'none') house.stats.faulted += 1
    if (!(await begin(fault, request, response))) return
    const uploadUrl = `http://${request.headers.host}${UPLOAD_PREFIX}`
    const reply = await orRefusal(() => {
      const early = injected(fault)
      if (early) return Promise.resolve(early)
      return answerWire({ house, request, query: searchParams, uploadUrl }, pathname)
    })
    if (fault.mode === 'lost-answer') request.socket.destroy()
    else await (fault.mode === 'truncated' ? sendHalf : send)(response, reply)
  }

  /** What a fault does before the work. Answers whether there is any work to do. */
  async function begin(
    fault: Fault,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (fault.mode === 'down') request.socket.resetAndDestroy()
    if (fault.mode === 'expired-token') house.tokens.expire(request.headers.authorization)
    if (fault.mode === 'slow') await delay(fault.delayMs ?? USUAL_DELAY_MS)
    if (fault.mode !== 'hang') return !request.socket.destroyed
    await faults.hold(whenClosed(response))
    if (request.socket.destroyed) house.stats.abandoned += 1
    return !request.socket.destroyed
  }

  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await Promise.all([once(server, 'close'), ...running])
    },
  }
}

/** What a fault answers in place of the work. */
function injected({ mode }: Fault): Reply | undefined {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  if (mode === '202') return { status: 202, headers }
  if (mode === '429') throw tooManyRequests(RETRY_AFTER_SECONDS)
  if (mode === '500') throw new BoxError(500, 'internal_server_error', 'Internal Server Error')
  if (mode === '503') throw new BoxError(503, 'unavailable', 'Unavailable', { headers })
  return undefined
}

async function orRefusal(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BoxError)) throw error
    return { status: error.status, headers: error.headers, json: error.body }
  }
}

function whenClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  if (response.destroyed) closed.abort()
  return closed.signal
}
