import { Connection } from '@jsforce/jsforce-node'
import type { Logger } from 'pino'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import type { Purpose, Usage } from '../port.ts'
import type { Deadline } from './deadline.ts'
import { timedOut } from './deadline.ts'
import { withExchange, openDispatcher } from './dispatcher.ts'
import type { Exchange } from './dispatcher.ts'
import { failureOf, unreadable } from './errors.ts'
import { sessions } from './sessions.ts'
import type { Auth, Session } from './sessions.ts'

const VERSION = '64.0'
export const BASE = `/services/data/v${VERSION}`

/** The portal's clock may be ahead by this much; used only if a response has no date. */
const CLOCK_MARGIN_MS = 60_000

export type Log = Pick<Logger, 'debug' | 'warn' | 'error'>

export interface ConnectionOptions {
  loginUrl: string
  clientId: string
  auth: Auth
  log: Log
  timeoutMs: number
  now(): number
  /** Called for each call that counts against the quota. */
  onCall?(purpose: Purpose): void
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH'
  /** The part after the version, or a full path that the CRM returned. */
  path: string
  body?: unknown
}

export interface Reply<Body> {
  body: Body
  /** The CRM's clock, in ISO format. */
  asOf: string
}

export interface SalesforceConnection {
  send<Body>(call: Call, deadline: Deadline): Promise<Reply<Body>>
  usage(): Usage | undefined
  close(): Promise<void>
}

export function salesforceConnection(options: ConnectionOptions): SalesforceConnection {
  const { log } = options
  const { dispatcher, release } = openDispatcher()
  const sessionSource = sessions({ ...options, dispatcher })
  const connections = new WeakMap<Session, Connection>()
  let usage: Usage | undefined

  function connectionOf(session: Session): Connection {
    const known = connections.get(session)
    if (known !== undefined) return known
    const { instanceUrl, accessToken } = session
    // No refresh function: jsforce would request a new token again and again while tokens are refused.
    const connection = new Connection({ version: VERSION, instanceUrl, accessToken })
    connections.set(session, connection)
    return connection
  }

  async function attempt<Body>(
    session: Session,
    call: Call,
    deadline: Deadline,
    exchange: Exchange,
  ): Promise<Reply<Body>> {
    const started = performance.now()
    let code: string | undefined
    options.onCall?.(deadline.purpose)
    try {
      const body = await withExchange(exchange, () =>
        request(connectionOf(session), call, deadline),
      )
      const isObject = typeof body === 'object' && body !== null
      if (!isObject && exchange.status !== 204) throw unreadable()
      return { body: body as Body, asOf: clockOf(exchange) }
    } catch (error) {
      const failure = asFailure(error, exchange)
      code = failure.code
      throw failure
    } finally {
      usage = usageOf(exchange) ?? usage
      const { status } = exchange
      const ms = Math.round(performance.now() - started)
      const { purpose } = deadline
      const line = { method: call.method, route: routeOf(call.path), purpose, status, ms, code }
      if (code === undefined) log.debug(line, 'crm: call completed')
      else log.warn(line, 'crm: call failed')
    }
  }

  return {
    async send<Body>(call: Call, deadline: Deadline): Promise<Reply<Body>> {
      const session = await sessionSource.current()
      const exchange: Exchange = {}
      try {
        return await attempt<Body>(session, call, deadline, exchange)
      } catch (error) {
        if (exchange.status !== 401) throw error
        return attempt<Body>(await sessionSource.renew(session), call, deadline, {})
      }
    },
    usage: () => usage,
    close: release,
  }
}

async function request(
  connection: Connection,
  { method, path, body }: Call,
  deadline: Deadline,
): Promise<unknown> {
  return connection.request(
    {
      method,
      url: path.startsWith('/services/') ? path : BASE + path,
      // jsforce would throw an uncaught exception for broken compressed data.
      headers: { 'accept-encoding': 'identity', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    {
      timeout: deadline.remainingMs(),
      retry: { maxRetries: 0 },
      followRedirect: false,
      // A proxy from the environment would bypass our dispatcher.
      httpProxy: undefined,
    },
  )
}

function asFailure(error: unknown, { status }: Exchange): CrmUnavailable | CrmRefused {
  if (error instanceof CrmUnavailable || error instanceof CrmRefused) return error
  if (status !== undefined) {
    const { errorCode, data } = error as { errorCode?: unknown; data?: unknown }
    return failureOf(status, Array.isArray(data) ? data : { errorCode })
  }
  const isTimeout =
    error instanceof Error && /AbortError|Request Timeout/.test(`${error.name} ${error.message}`)
  return isTimeout ? timedOut() : new CrmUnavailable('NETWORK')
}

function clockOf({ headers }: Exchange): string {
  const date = Date.parse(String(headers?.['date']))
  return new Date(Number.isNaN(date) ? Date.now() - CLOCK_MARGIN_MS : date).toISOString()
}

function usageOf({ headers }: Exchange): Usage | undefined {
  const found = /api-usage=(\d+)\/(\d+)/.exec(String(headers?.['sforce-limit-info']))
  return found === null ? undefined : { used: Number(found[1]), limit: Number(found[2]) }
}

/** The path without ids, cursors and queries, for the log. */
function routeOf(path: string): string {
  return path
    .replace(/\?.*$/s, '')
    .replace(/^\/services\/data\/v[\d.]+/, '')
    .replace(/\/query(All)?\/.+$/, '/query$1/{cursor}')
    .replace(/\/([0-9a-f-]{36}|[a-zA-Z0-9]{15}([a-zA-Z0-9]{3})?)$/, '/{id}')
}
