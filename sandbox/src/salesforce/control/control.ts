import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitOf } from '../../waiting.ts'
import { fullId } from '../data/ids.ts'
import type { Org } from '../data/org.ts'
import { FAULT_MODES } from '../faults.ts'
import type { Fault, FaultMode, Faults } from '../faults.ts'
import { Problem } from '../problem.ts'
import { textOf } from '../text.ts'
import type { UsageCounter } from '../usage.ts'
import { contactPage, contactsPage, notFoundPage } from './pages.ts'
import { waitForRows } from './rows.ts'
import { ACTIONS } from './staff.ts'
import type { Order } from './staff.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

interface Reply {
  status?: number
  type?: string
  body?: string
  location?: string
}

export interface ControlParts {
  org: Org
  usage: UsageCounter
  faults: Faults
  reset(): void
}

/** Everything that is not the vendor's: the staff's page, and what tests ask and order. */
export function control(parts: ControlParts) {
  const { org, usage, faults } = parts

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /':
        return asPage(contactsPage(org, url.searchParams.get('q')?.trim() ?? ''))
      case 'GET /staff.css':
        return {
          type: 'text/css; charset=utf-8',
          body: readFileSync(`${import.meta.dirname}/../page/staff.css`, 'utf8'),
        }
      case 'GET /faults':
        return asJson(faults.current)
      case 'PUT /faults': {
        const fault = readFault(await text(request))
        if (fault === undefined) return asJson({ message: FAULT_HELP }, 422)
        faults.set(fault)
        return asJson(faults.current)
      }
      case 'GET /hanging': {
        const some = url.searchParams.get('until') !== 'none'
        return asJson({
          hanging: await faults.waitForHold(some, waitOf(url.searchParams, response)),
        })
      }
      case 'GET /stats':
        return asJson({ ...usage.usage, hanging: faults.hanging })
      case 'PUT /usage': {
        const { used } = JSON.parse(await text(request)) as { used: number }
        usage.setUsed(used)
        return asJson(usage.usage)
      }
      case 'POST /reset':
        parts.reset()
        return { status: 204 }
      default:
        return other(request, url, response)
    }
  }

  async function other(
    request: IncomingMessage,
    url: URL,
    response: ServerResponse,
  ): Promise<Reply> {
    const [, first, second = ''] = url.pathname.split('/')
    const action = ACTIONS[second]
    if (request.method === 'POST' && first === 'staff' && action !== undefined) {
      return act(request, (order) => action(org, order))
    }
    if (request.method === 'GET' && first === 'rows') {
      const wanted = [...url.searchParams].filter(([name]) => name !== 'wait')
      return asJson({
        rows: await waitForRows(org, second, wanted, waitOf(url.searchParams, response)),
      })
    }
    const contact = org.table('Contact')!.get(fullId(second) ?? '')
    if (request.method === 'GET' && first === 'contacts' && contact?.deleted === false) {
      return asPage(contactPage(org, contact))
    }
    return { ...asPage(notFoundPage()), status: 404 }
  }

  /** Orders come as JSON from tests and as forms from the page; each gets its own kind of answer. */
  async function act(
    request: IncomingMessage,
    work: (order: Order) => { id: string; contactId?: string },
  ): Promise<Reply> {
    const body = await text(request)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const order: Order = isForm
      ? Object.fromEntries(new URLSearchParams(body))
      : (JSON.parse(body) as Order)
    // A form of the page always says whose page it is on; not every action wants to know.
    const contactId = textOf(order['contactId'])
    try {
      const done = org.atomically(() => work(isForm ? fitting(order) : order))
      if (!isForm) return asJson({ id: done.id })
      const gone = org.table('Contact')!.get(contactId)?.deleted !== false
      return { status: 303, location: gone ? '/' : `/contacts/${contactId}` }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const contact = org.table('Contact')!.get(contactId)
      if (!isForm || contact === undefined) return asJson(error.errors, 422)
      return { ...asPage(contactPage(org, contact, error.message)), status: 422 }
    }
  }

  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let reply: Reply
    try {
      reply = await answer(request, response)
    } catch (error) {
      if (error instanceof Problem) reply = asJson(error.errors, error.status)
      else reply = asJson({ message: String(error) }, error instanceof SyntaxError ? 422 : 500)
    }
    const { status = 200, type, body, location } = reply
    response.writeHead(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(location === undefined ? {} : { location }),
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  }
}

// An empty name means: call it by its type.
function fitting(order: Order): Order {
  return order['name'] === '' ? { ...order, name: undefined } : order
}

const FAULT_HELP = `Send { "mode": ${FAULT_MODES.join(' | ')}, "times"?: a whole number above 0, "match"?: part of method and path, "milliseconds"?: for slow }`

function readFault(body: string): Fault | undefined {
  const { mode, times, match, milliseconds } = (tryJson(body) ?? {}) as Record<string, unknown>
  if (!FAULT_MODES.includes(mode as FaultMode)) return undefined
  const fault: Fault = { mode: mode as FaultMode }
  if (times !== undefined) {
    if (!Number.isInteger(times) || (times as number) < 1) return undefined
    fault.times = times as number
  }
  if (match !== undefined) fault.match = textOf(match)
  if (milliseconds !== undefined) fault.milliseconds = Number(milliseconds)
  return fault
}

function tryJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function asJson(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}

function asPage(body: string): Reply {
  return { type: 'text/html; charset=utf-8', body }
}
