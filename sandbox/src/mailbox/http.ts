import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { readFault } from '../fault-injection.ts'
import { listen } from '../http-server.ts'
import type { Listening } from '../http-server.ts'
import { parseJson } from '../json.ts'
import { waitSignal } from '../long-poll.ts'
import { STYLESHEET_PATH, STYLESHEET_TYPE, stylesheet } from '../sandbox-page.ts'
import type { Bounces } from './bounces.ts'
import { FAULT_MODES } from './faults.ts'
import type { Faults } from './faults.ts'
import { inboxPage, messagePage, notFoundPage } from './pages.ts'
import type { Message, MessageStore } from './store.ts'

const MAX_SHOWN = 200

const INBOX_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The HTML of a message may use its own styles, and nothing else.
const MESSAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

interface Reply {
  status?: number
  type?: string
  policy?: string
  body?: string
}

export async function startHttp(
  store: MessageStore,
  faults: Faults,
  bounces: Bounces,
  address: { host: string; port: number },
): Promise<Listening> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://mailbox')
    handle(request, url, waitSignal(url.searchParams, response)).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, asJson({ message: String(error) }, 500)),
    )
  })

  async function handle(request: IncomingMessage, url: URL, wait: AbortSignal): Promise<Reply> {
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /': {
        const to = url.searchParams.get('to')?.trim() ?? ''
        return asPage(inboxPage(recentTo(store, to), to))
      }
      case 'GET /messages':
        return asJson({ messages: await store.waitFor(filterOf(url), wait) })
      case 'DELETE /messages':
        store.clear()
        return { status: 204 }
      case 'GET /faults':
        return asJson(faults.current)
      case 'PUT /faults': {
        const fault = readFault(parseJson(await text(request)), FAULT_MODES)
        if (fault === undefined) return asJson({ message: FAULT_HELP }, 422)
        await faults.replace(fault)
        return asJson(faults.current)
      }
      case 'PUT /bounces': {
        const rule = bounces.read(parseJson(await text(request)))
        if (rule === undefined) return asJson({ message: BOUNCE_HELP }, 422)
        bounces.add(rule)
        return { status: 204 }
      }
      case 'POST /reports':
        bounces.put(await text(request))
        return { status: 204 }
      case 'GET /stats':
        return asJson(faults.stats)
      case 'GET /hanging':
        return asJson({ hanging: await faults.waitForHeldCalls(wait) })
      default:
        return request.method === 'GET' ? page(url.pathname, store) : { status: 405 }
    }
  }

  return listen(server, address)
}

function page(path: string, store: MessageStore): Reply {
  if (path === STYLESHEET_PATH) return { type: STYLESHEET_TYPE, body: stylesheet() }
  if (path === '/inbox.js') {
    const body = readFileSync(`${import.meta.dirname}/page/inbox.js`, 'utf8')
    return { type: 'text/javascript; charset=utf-8', body }
  }
  const [, id = '', part] = /^\/mail\/(\d+)(\/html)?$/.exec(path) ?? []
  const message = store.get(id)
  if (message === undefined) return { ...asPage(notFoundPage()), status: 404 }
  if (part === undefined) return asPage(messagePage(message))
  return { ...asPage(withLinksInNewTabs(message.html ?? '')), policy: MESSAGE_POLICY }
}

function withLinksInNewTabs(source: string): string {
  const base = '<base target="_blank">'
  const marked = source.replace(/<head\b[^>]*>/i, (head) => head + base)
  return marked === source ? base + source : marked
}

// The inbox searches for a part of an address; tests filter by the whole address.
function recentTo(store: MessageStore, part: string): Message[] {
  return store
    .find({})
    .filter(({ to }) => to.some((address) => address.toLowerCase().includes(part.toLowerCase())))
    .slice(0, MAX_SHOWN)
}

function filterOf({ searchParams }: URL) {
  const value = (name: string) => searchParams.get(name) ?? undefined
  return { to: value('to'), subject: value('subject'), after: value('after') }
}

const FAULT_HELP = `Send { "mode": ${FAULT_MODES.join(' | ')}, "times"?: a whole number above 0 }`

const BOUNCE_HELP =
  'Send { "to": an address, "action"?: failed | delivered | delayed, "status"?: 5.1.1 }'

function asJson(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}

function asPage(body: string): Reply {
  return { type: 'text/html; charset=utf-8', body }
}

function send(response: ServerResponse, { status = 200, type, policy, body }: Reply): void {
  response.writeHead(status, {
    ...(type === undefined ? {} : { 'content-type': type }),
    'content-security-policy': policy ?? INBOX_POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}
