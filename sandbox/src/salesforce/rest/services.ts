import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseJson } from '../../json.ts'
import { ApiError, apiError, notFound } from '../errors.ts'
import type { Faults } from '../faults.ts'
import { VERSION } from '../soql/project.ts'
import type { UsageCounter } from '../usage.ts'
import type { Reply } from './call.ts'
import type { DataApi } from './data-api.ts'
import { expired, TokenError } from './sessions.ts'
import type { Sessions } from './sessions.ts'

const TOKEN_PATH = '/services/oauth2/token'
const DATA_PREFIX = `/services/data/${VERSION}`

interface ServicesParts {
  api: DataApi
  sessions: Sessions
  usage: UsageCounter
  faults: Faults
}

/** Handles everything under `/services`: the addresses that jsforce calls. */
export function servicesHandler({ api, sessions, usage, faults }: ServicesParts) {
  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const isToken = url.pathname === TOKEN_PATH
    const path = url.pathname.slice(DATA_PREFIX.length)
    const body = await text(request)
    const calls = () => [`${method} ${url.pathname}`, ...partsOf(path, body)]
    const fault = faults.faultFor(calls, isToken)
    const { mode } = fault
    usage.count(isToken ? 'token' : api.kindOf({ method, path }))
    const disconnected = disconnectSignal(response)
    if (mode === 'down') {
      request.socket.resetAndDestroy()
      return
    }
    if (mode === 'hang') await faults.hold(disconnected)
    if (mode === 'slow') await faults.delay(fault, disconnected)
    if (disconnected.aborted) return
    const reply = orErrorReply(() => {
      if (mode === '500') throw apiError(500, 'UNKNOWN_EXCEPTION', 'An unexpected error occurred.')
      if (mode === '429') throw apiError(429, 'TOO_MANY_REQUESTS', 'Too many requests')
      if (isToken) return grant(request, body)
      return data(request, { method, url, path, body, mode })
    })
    if (mode === 'lost') request.socket.resetAndDestroy()
    else
      send(response, reply, {
        limits: isToken ? undefined : usage.header,
        truncated: mode === 'truncated',
      })
  }

  function grant({ headers: { host } }: IncomingMessage, body: string): Reply {
    return { status: 200, body: sessions.grant(new URLSearchParams(body), `http://${host}`) }
  }

  function data(
    { headers: { authorization } }: IncomingMessage,
    call: { method: string; url: URL; path: string; body: string; mode: string },
  ): Reply {
    const { method, url, path, body, mode } = call
    if (mode === 'expired-token') {
      sessions.revokeAll()
      throw expired()
    }
    sessions.check(authorization)
    if (mode === 'quota' || !usage.spend()) {
      throw apiError(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
    }
    if (!url.pathname.startsWith(`${DATA_PREFIX}/`)) throw notFound()
    return api.handle({ method, path, query: url.searchParams, body: jsonBody(body) })
  }
}

/** Method and path of each part of a composite, the path without its version: `GET /queryAll`. */
function partsOf(path: string, body: string): string[] {
  if (path !== '/composite') return []
  const { compositeRequest } = (parseJson(body) ?? {}) as { compositeRequest?: unknown }
  const parts = Array.isArray(compositeRequest)
    ? (compositeRequest as { method: string; url: string }[])
    : []
  return parts.map(
    ({ method, url }) => `${method} ${url.slice(DATA_PREFIX.length).replace(/\?.*/s, '')}`,
  )
}

function orErrorReply(work: () => Reply): Reply {
  try {
    return work()
  } catch (error) {
    if (error instanceof TokenError) return { status: 400, body: error.body }
    if (error instanceof ApiError) return { status: error.status, body: error.errors }
    throw error
  }
}

function jsonBody(body: string): unknown {
  if (body === '') return undefined
  const parsed = parseJson(body)
  if (parsed !== undefined) return parsed
  throw apiError(400, 'JSON_PARSER_ERROR', 'The request body is not JSON')
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: Reply,
  { limits, truncated }: { limits: string | undefined; truncated: boolean },
): void {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    ...headers,
    ...(limits === undefined ? {} : { 'Sforce-Limit-Info': limits }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json;charset=UTF-8', 'content-length': payload.length }),
  })
  if (!truncated) {
    response.end(payload)
    return
  }
  const half = payload?.subarray(0, Math.floor(payload.length / 2)) ?? Buffer.alloc(0)
  response.write(half, () => response.destroy())
}
