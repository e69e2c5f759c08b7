import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitSignal } from '../../long-poll.ts'
import { PAGE_POLICY, STYLESHEET_TYPE, stylesheet } from '../../sandbox-page.ts'
import { fullId } from '../data/ids.ts'
import type { Org } from '../data/org.ts'
import { ApiError } from '../errors.ts'
import { FAULT_HELP, readSalesforceFault } from '../faults.ts'
import type { Faults } from '../faults.ts'
import { textOf } from '../text.ts'
import type { UsageCounter } from '../usage.ts'
import { contactPage, contactsPage, notFoundPage } from './pages.ts'
import { waitForRows } from './rows.ts'
import { ACTIONS } from './staff-actions.ts'
import type { ActionFields } from './staff-actions.ts'

interface Reply {
  status?: number
  type?: string
  body?: string
  location?: string
}

interface ControlParts {
  org: Org
  usage: UsageCounter
  faults: Faults
  reset(): void
}

/** Handles everything that is not Salesforce's API: the page for developers, and the control addresses for tests. */
export function controlHandler(parts: ControlParts) {
  const { org, usage, faults } = parts

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /':
        return asPage(contactsPage(org, url.searchParams.get('q')?.trim() ?? ''))
      case 'GET /sandbox.css':
        return { type: STYLESHEET_TYPE, body: stylesheet() }
      case 'GET /faults':
        return asJson(faults.current)
      case 'PUT /faults': {
        const fault = readSalesforceFault(await text(request))
        if (fault === undefined) return asJson({ message: FAULT_HELP }, 422)
        faults.set(fault)
        return asJson(faults.current)
      }
      case 'GET /hanging': {
        const until = url.searchParams.get('until') === 'none' ? 'none' : 'some'
        const wait = waitSignal(url.searchParams, response)
        return asJson({ hanging: await faults.waitForHeldCalls(wait, until) })
      }
      case 'GET /stats':
        return asJson({ ...usage.usage, hanging: faults.heldCount })
      case 'PUT /usage': {
        const { used } = JSON.parse(await text(request)) as { used: number }
        usage.setUsed(used)
        return asJson(usage.usage)
      }
      case 'PUT /hidden':
        org.schema.hide(JSON.parse(await text(request)) as string[])
        return { status: 204 }
      case 'POST /reset':
        parts.reset()
        return { status: 204 }
      default:
        return handleWithId(request, url, response)
    }
  }

  async function handleWithId(
    request: IncomingMessage,
    url: URL,
    response: ServerResponse,
  ): Promise<Reply> {
    const [, first, second = ''] = url.pathname.split('/')
    const action = ACTIONS[second]
    if (request.method === 'POST' && first === 'staff' && action !== undefined) {
      return runAction(request, (fields) => action(org, fields))
    }
    if (request.method === 'GET' && first === 'rows') {
      const values = [...url.searchParams].filter(([name]) => name !== 'wait')
      const wait = waitSignal(url.searchParams, response)
      return asJson({ rows: await waitForRows(org, second, values, wait) })
    }
    const contact = org.table('Contact')!.get(fullId(second) ?? '')
    if (request.method === 'GET' && first === 'contacts' && contact?.deleted === false) {
      return asPage(contactPage(org, contact))
    }
    return { ...asPage(notFoundPage()), status: 404 }
  }

  /** Tests send JSON and get JSON; the forms of the page get a page. */
  async function runAction(
    request: IncomingMessage,
    action: (fields: ActionFields) => { id: string },
  ): Promise<Reply> {
    const body = await text(request)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const fields: ActionFields = isForm
      ? formFields(new URLSearchParams(body))
      : (JSON.parse(body) as ActionFields)
    // Each form contains the contact whose page it is on.
    const contactId = textOf(fields['contactId'])
    try {
      const { id } = org.atomically(() => action(fields))
      if (!isForm) return asJson({ id })
      const isDeleted = org.table('Contact')!.get(contactId)?.deleted !== false
      return { status: 303, location: isDeleted ? '/' : `/contacts/${contactId}` }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const contact = org.table('Contact')!.get(contactId)
      if (!isForm || contact === undefined) return asJson(error.errors, 422)
      return { ...asPage(contactPage(org, contact, error.message)), status: 422 }
    }
  }

  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let reply: Reply
    try {
      reply = await handle(request, response)
    } catch (error) {
      if (error instanceof ApiError) reply = asJson(error.errors, error.status)
      else reply = asJson({ message: String(error) }, error instanceof SyntaxError ? 422 : 500)
    }
    const { status = 200, type, body, location } = reply
    response.writeHead(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(location === undefined ? {} : { location }),
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  }
}

// A document without a name gets the name of its type.
function formFields(form: URLSearchParams): ActionFields {
  const fields = Object.fromEntries(form)
  return fields['name'] === '' ? { ...fields, name: undefined } : fields
}

function asJson(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}

function asPage(body: string): Reply {
  return { type: 'text/html; charset=utf-8', body }
}
