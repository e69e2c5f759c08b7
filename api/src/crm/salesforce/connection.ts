import { Connection } from '@jsforce/jsforce-node'
import type { Logger } from 'pino'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import type { Usage } from '../port.ts'
import type { Deadline } from './deadline.ts'
import { timedOut } from './deadline.ts'
import { observed, openDispatcher } from './dispatcher.ts'
import type { Exchange } from './dispatcher.ts'
import { failureOf, unreadable } from './errors.ts'
import { sessions } from './sessions.ts'
import type { Auth, Session } from './sessions.ts'

export const VERSION = '64.0'
export const BASE = `/services/data/v${VERSION}`

/** How far our own clock may be ahead of the CRM's, where the CRM does not tell its own. */
const CLOCK_MARGIN_MS = 60_000

export type Log = Pick<Logger, 'debug' | 'warn'>

export interface ConnectionOptions {
  loginUrl: string
  clientId: string
  auth: Auth
  log: Log
  timeoutMs: number
  now(): number
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH'
  /** What follows the version, or a whole path as the CRM itself gave it. */
  path: string
  body?: unknown
}

export interface Answered<Body> {
  body: Body
  /** The CRM's clock, in ISO format. */
  asOf: string
}

export interface SalesforceConnection {
  send<Body>(call: Call, deadline: Deadline): Promise<Answered<Body>>
  usage(): Usage | undefined
  close(): Promise<void>
}

export function salesforceConnection(options: ConnectionOptions): SalesforceConnection {
  const { log } = options
  const { dispatcher, release } = openDispatcher()
  const door = sessions({ ...options, dispatcher })
  const connections = new WeakMap<Session, Connection>()
  let usage: Usage | undefined

  function connectionOf(session: Session): Connection {
    const known = connections.get(session)
    if (known !== undefined) return known
    const { instanceUrl, accessToken } = session
    // Without the means to refresh its token: left to itself, the vendor's program asks for one again and
    // again as long as it is refused.
    const connection = new Connection({ version: VERSION, instanceUrl, accessToken })
    connections.set(session, connection)
    return connection
  }

  async function attempt<Body>(
    session: Session,
    call: Call,
    deadline: Deadline,
    seen: Exchange,
  ): Promise<Answered<Body>> {
    const started = performance.now()
    let code: string | undefined
    try {
      const body = await observed(seen, () => request(connectionOf(session), call, deadline))
      const isRead = typeof body === 'object' && body !== null
      if (!isRead && seen.status !== 204) throw unreadable()
      return { body: body as Body, asOf: clockOf(seen) }
    } catch (error) {
      const failure = asFailure(error, seen)
      code = failure.code
      throw failure
    } finally {
      usage = usageOf(seen) ?? usage
      const { status } = seen
      const ms = Math.round(performance.now() - started)
      const line = { method: call.method, route: routeOf(call.path), status, ms, code }
      if (code === undefined) log.debug(line, 'CRM call')
      else log.warn(line, 'CRM call failed')
    }
  }

  return {
    async send<Body>(call: Call, deadline: Deadline): Promise<Answered<Body>> {
      const session = await door.current()
      const seen: Exchange = {}
      try {
        return await attempt<Body>(session, call, deadline, seen)
      } catch (error) {
        if (seen.status !== 401) throw error
        return attempt<Body>(await door.renew(session), call, deadline, {})
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
      // A compressed answer that is whole can still be broken, which again would be an uncaught exception.
      headers: { 'accept-encoding': 'identity', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    {
      timeout: deadline.left(),
      retry: { maxRetries: 0 },
      followRedirect: false,
      // A proxy of the environment would go round our dispatcher.
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
  const isLate =
    error instanceof Error && /AbortError|Request Timeout/.test(`${error.name} ${error.message}`)
  return isLate ? timedOut() : new CrmUnavailable('NETWORK')
}

function clockOf({ headers }: Exchange): string {
  const told = Date.parse(String(headers?.['date']))
  return new Date(Number.isNaN(told) ? Date.now() - CLOCK_MARGIN_MS : told).toISOString()
}

function usageOf({ headers }: Exchange): Usage | undefined {
  const found = /api-usage=(\d+)\/(\d+)/.exec(String(headers?.['sforce-limit-info']))
  return found === null ? undefined : { used: Number(found[1]), limit: Number(found[2]) }
}

/** A path as it may be logged: without ids, cursors and queries. */
function routeOf(path: string): string {
  return path
    .replace(/\?.*$/s, '')
    .replace(/^\/services\/data\/v[\d.]+/, '')
    .replace(/\/query(All)?\/.+$/, '/query$1/{cursor}')
    .replace(/\/([0-9a-f-]{36}|[a-zA-Z0-9]{15}([a-zA-Z0-9]{3})?)$/, '/{id}')
}
