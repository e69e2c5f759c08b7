import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Faults } from '../faults.ts'
import { Problem, problem } from '../problem.ts'
import { VERSION } from '../soql/project.ts'
import type { UsageCounter } from '../usage.ts'
import type { Reply } from './call.ts'
import type { DataApi } from './data-api.ts'
import { expired, TokenProblem } from './sessions.ts'
import type { Sessions } from './sessions.ts'

const TOKEN_PATH = '/services/oauth2/token'
const DATA_PREFIX = `/services/data/${VERSION}`

export interface WireParts {
  api: DataApi
  sessions: Sessions
  usage: UsageCounter
  faults: Faults
}

/** Everything under `/services`: what the vendor's own program talks to. */
export function wire({ api, sessions, usage, faults }: WireParts) {
  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const isToken = url.pathname === TOKEN_PATH
    const path = url.pathname.slice(DATA_PREFIX.length)
    const fault = faults.strike(`${method} ${url.pathname}`, isToken)
    const { mode } = fault
    usage.count(isToken ? 'token' : api.kindOf({ method, path }))
    const left = leaving(response)
    if (mode === 'down') {
      request.socket.resetAndDestroy()
      return
    }
    const body = await text(request)
    if (mode === 'hang') await faults.hold(left)
    if (mode === 'slow') await faults.slowness(fault, left)
    if (left.aborted) return
    const reply = tried(() => {
      if (mode === '500') throw problem(500, 'UNKNOWN_EXCEPTION', 'An unexpected error occurred.')
      if (mode === '429') throw problem(429, 'TOO_MANY_REQUESTS', 'Too many requests')
      if (isToken) return grant(request, body)
      return data(request, { method, url, path, body, mode })
    })
    if (mode === 'lost') request.socket.resetAndDestroy()
    else
      send(response, reply, {
        limits: isToken ? undefined : usage.header,
        cut: mode === 'truncated',
      })
  }

  function grant({ headers: { host } }: IncomingMessage, body: string): Reply {
    return { status: 200, body: sessions.grant(new URLSearchParams(body), `http://${host}`) }
  }

  function data(
    { headers: { authorization } }: IncomingMessage,
    asked: { method: string; url: URL; path: string; body: string; mode: string },
  ): Reply {
    const { method, url, path, body, mode } = asked
    if (mode === 'expired-token') {
      sessions.revokeAll()
      throw expired()
    }
    sessions.check(authorization)
    if (mode === 'quota' || !usage.spend()) {
      throw problem(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')
    }
    if (!url.pathname.startsWith(`${DATA_PREFIX}/`)) {
      throw problem(404, 'NOT_FOUND', 'The requested resource does not exist')
    }
    return api.answer({ method, path, query: url.searchParams, body: parsed(body) })
  }
}

function tried(work: () => Reply): Reply {
  try {
    return work()
  } catch (error) {
    if (error instanceof TokenProblem) return { status: 400, body: error.body }
    if (error instanceof Problem) return { status: error.status, body: error.errors }
    throw error
  }
}

function parsed(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    throw problem(400, 'JSON_PARSER_ERROR', 'The request body is not JSON')
  }
}

function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.once('close', () => left.abort())
  return left.signal
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: Reply,
  { limits, cut }: { limits: string | undefined; cut: boolean },
): void {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    ...headers,
    ...(limits === undefined ? {} : { 'Sforce-Limit-Info': limits }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json;charset=UTF-8', 'content-length': payload.length }),
  })
  if (!cut) {
    response.end(payload)
    return
  }
  // The work is done and the answer is lost on the way: half of it, then nothing.
  const half = payload?.subarray(0, Math.floor(payload.length / 2)) ?? Buffer.alloc(0)
  response.write(half, () => response.destroy())
}
