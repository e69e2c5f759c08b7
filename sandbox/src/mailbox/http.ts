import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { waitOf } from '../waiting.ts'
import { FAULT_MODES } from './faults.ts'
import type { Fault, FaultMode, Faults } from './faults.ts'
import { inboxPage, messagePage, notFoundPage } from './pages.ts'
import type { Message, MessageStore } from './store.ts'

const SHOWN_IN_THE_INBOX = 200

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The message's own markup: it may look like itself, and nothing more.
const MESSAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

const ASSETS: Record<string, string> = {
  '/inbox.css': 'text/css; charset=utf-8',
  '/inbox.js': 'text/javascript; charset=utf-8',
}

interface Reply {
  status?: number
  type?: string
  policy?: string
  body?: string
}

export async function startHttp(
  store: MessageStore,
  faults: Faults,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://mailbox')
    answer(request, url, waitOf(url.searchParams, response)).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, asJson({ message: String(error) }, 500)),
    )
  })

  async function answer(request: IncomingMessage, url: URL, until: AbortSignal): Promise<Reply> {
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /': {
        const to = url.searchParams.get('to')?.trim() ?? ''
        return asPage(inboxPage(recentTo(store, to), to))
      }
      case 'GET /messages':
        return asJson({ messages: await store.waitFor(wantedOf(url), until) })
      case 'DELETE /messages':
        store.clear()
        return { status: 204 }
      case 'GET /faults':
        return asJson(faults.current)
      case 'PUT /faults': {
        const fault = readFault(await json(request).catch(() => undefined))
        if (fault === undefined) return asJson({ message: FAULT_HELP }, 422)
        await faults.set(fault)
        return asJson(faults.current)
      }
      case 'GET /stats':
        return asJson(faults.stats)
      case 'GET /hanging':
        return asJson({ hanging: await faults.waitForHold(until) })
      default:
        return request.method === 'GET' ? file(url.pathname, store) : { status: 405 }
    }
  }

  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function file(path: string, store: MessageStore): Reply {
  const type = ASSETS[path]
  if (type !== undefined) {
    return { type, body: readFileSync(`${import.meta.dirname}/page${path}`, 'utf8') }
  }
  const [, id = '', part] = /^\/mail\/(\d+)(\/html)?$/.exec(path) ?? []
  const message = store.get(id)
  if (message === undefined) return { ...asPage(notFoundPage()), status: 404 }
  if (part === undefined) return asPage(messagePage(message))
  return { ...asPage(openingLinksBeside(message.html ?? '')), policy: MESSAGE_POLICY }
}

function openingLinksBeside(source: string): string {
  const base = '<base target="_blank">'
  const marked = source.replace(/<head\b[^>]*>/i, (head) => head + base)
  return marked === source ? base + source : marked
}

// A person types a part of an address; the tests' query asks for the whole of it.
function recentTo(store: MessageStore, part: string): Message[] {
  const sought = part.toLowerCase()
  return store
    .find({})
    .filter(({ to }) => to.some((address) => address.toLowerCase().includes(sought)))
    .slice(0, SHOWN_IN_THE_INBOX)
}

function wantedOf({ searchParams }: URL) {
  const value = (name: string) => searchParams.get(name) ?? undefined
  return { to: value('to'), subject: value('subject'), after: value('after') }
}

const FAULT_HELP = `Send { "mode": ${FAULT_MODES.join(' | ')}, "times"?: a whole number above 0 }`

function readFault(body: unknown): Fault | undefined {
  const { mode, times } = (body ?? {}) as { mode?: unknown; times?: unknown }
  if (!FAULT_MODES.includes(mode as FaultMode)) return undefined
  if (times === undefined) return { mode: mode as FaultMode }
  if (!Number.isInteger(times) || (times as number) < 1) return undefined
  return { mode: mode as FaultMode, times: times as number }
}

function asJson(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}

function asPage(body: string): Reply {
  return { type: 'text/html; charset=utf-8', body }
}

function send(response: ServerResponse, { status = 200, type, policy, body }: Reply): void {
  response.writeHead(status, {
    ...(type === undefined ? {} : { 'content-type': type }),
    'content-security-policy': policy ?? PAGE_POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}
