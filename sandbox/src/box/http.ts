import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../http-server.ts'
import type { Listening } from '../http-server.ts'
import type { Reply } from './call.ts'
import { handleControl } from './control.ts'
import { BoxError, tooManyRequests } from './errors.ts'
import type { Fault, Faults } from './faults.ts'
import { UPLOAD_PREFIX, handleBoxCall, isBoxPath, kindOf } from './routes.ts'
import { send, sendHalf } from './send.ts'
import type { BoxState } from './state.ts'

const DEFAULT_DELAY_MS = 1_000
const RETRY_AFTER_SECONDS = 1

export async function startHttp(
  state: BoxState,
  faults: Faults,
  address: { host: string; port: number },
): Promise<Listening> {
  const running = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const work = serve(request, response).catch((error: unknown) => {
      // A client that disconnects is not an error of the sandbox.
      if (!request.socket.destroyed) console.error(error)
      response.destroy()
    })
    running.add(work)
    void work.finally(() => running.delete(work))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The rest of a body that was refused early would block the connection.
    response.once('finish', () => request.resume())
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://box')
    if (!isBoxPath(pathname)) {
      return send(response, await handleControl({ state, faults, request, response }))
    }
    const apiPath = pathname.startsWith(UPLOAD_PREFIX)
      ? pathname.slice(UPLOAD_PREFIX.length)
      : pathname
    const { method = 'GET', url = '/' } = request
    state.countCall({ kind: kindOf(method, pathname), method, url })
    const fault = faults.faultFor(method, apiPath)
    if (fault.mode !== 'none') state.stats.faulted += 1
    if (!(await continuesAfter(fault, request, response))) return
    const uploadUrl = `http://${request.headers.host}${UPLOAD_PREFIX}`
    const reply = await orErrorReply(() => {
      const injected = injectedReply(fault)
      if (injected) return Promise.resolve(injected)
      return handleBoxCall({ state, request, query: searchParams, uploadUrl }, pathname)
    })
    if (fault.mode === 'lost-response') request.socket.destroy()
    else if (fault.mode === 'truncated') await sendHalf(response, reply)
    else await sendCounted(response, reply)
  }

  async function sendCounted(response: ServerResponse, reply: Reply): Promise<void> {
    try {
      await send(response, reply)
    } catch (error) {
      if (reply.file) state.stats.abandoned += 1
      throw error
    }
  }

  /** Applies a fault that comes before the call is handled. Returns whether to handle the call. */
  async function continuesAfter(
    fault: Fault,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (fault.mode === 'down') request.socket.resetAndDestroy()
    if (fault.mode === 'expired-token') state.tokens.expire(request.headers.authorization)
    if (fault.mode === 'slow') await delay(fault.delayMs ?? DEFAULT_DELAY_MS)
    if (fault.mode !== 'hang') return !request.socket.destroyed
    await faults.hold(whenClosed(response))
    if (request.socket.destroyed) state.stats.abandoned += 1
    return !request.socket.destroyed
  }

  const { port, close } = await listen(server, address)
  return {
    port,
    async close() {
      await close()
      await Promise.all(running)
    },
  }
}

/** The response of a fault that replaces the handling of the call. */
function injectedReply({ mode }: Fault): Reply | undefined {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  if (mode === '202') return { status: 202, headers }
  if (mode === '429') throw tooManyRequests(RETRY_AFTER_SECONDS)
  if (mode === '403') {
    throw new BoxError(
      403,
      'access_denied_insufficient_permissions',
      'Access denied - insufficient permission',
    )
  }
  if (mode === '500') throw new BoxError(500, 'internal_server_error', 'Internal Server Error')
  if (mode === 'full') {
    throw new BoxError(403, 'storage_limit_exceeded', 'Account storage limit reached')
  }
  if (mode === '503') throw new BoxError(503, 'unavailable', 'Unavailable', { headers })
  return undefined
}

async function orErrorReply(work: () => Promise<Reply>): Promise<Reply> {
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
