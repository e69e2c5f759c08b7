import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Blob } from './blobs.ts'
import { badRequest } from './errors.ts'
import type { House } from './house.ts'

/** One request, as the handlers see it. */
export interface Call {
  house: House
  request: IncomingMessage
  query: URLSearchParams
  /** What stood in the path's variable places. */
  params: string[]
  /** Where the caller reached the upload host: addresses in answers must lead back there. */
  uploadUrl: string
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  file?: Blob
}

export type Handler = (call: Call) => Promise<Reply> | Reply

export function header(call: Call, name: string): string | undefined {
  const value = call.request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The body as it arrives. Whoever stops reading early may still answer on the connection. */
export function bodyOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

export async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const value = parseObject(await text(bodyOf(request)))
  if (value === undefined) throw badRequest('Expected a JSON object')
  return value
}

export function parseObject(source: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(source)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** A text of the body that must be there; `parent.id` looks one level down. */
export function required(body: Record<string, unknown>, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], body)
  if (typeof value !== 'string') throw badRequest(`Missing ${path}`)
  return value
}
