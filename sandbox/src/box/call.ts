import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseJsonObject } from '../json.ts'
import type { StoredBlob } from './blobs.ts'
import { badRequest } from './errors.ts'
import type { BoxState } from './state.ts'

/** One request of Box's API. */
export interface Call {
  state: BoxState
  request: IncomingMessage
  query: URLSearchParams
  /** The variable parts of the path. */
  params: string[]
  /** The upload host as the client reached it, for URLs in responses. */
  uploadUrl: string
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  file?: StoredBlob
}

export type Handler = (call: Call) => Promise<Reply> | Reply

export function header(call: Call, name: string): string | undefined {
  const value = call.request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The body as a stream. A handler that stops reading early can still respond on the connection. */
export function bodyOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

export async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const value = parseJsonObject(await text(bodyOf(request)))
  if (value === undefined) throw badRequest('Expected a JSON object')
  return value
}

/** Returns a string of the body, and throws if it is missing. The path `parent.id` reads a nested field. */
export function requiredString(body: Record<string, unknown>, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], body)
  if (typeof value !== 'string') throw badRequest(`Missing ${path}`)
  return value
}
