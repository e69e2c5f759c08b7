import { apiError } from '../errors.ts'
import type { Kind } from '../usage.ts'

/** One call of the data API: an HTTP request or a part of a composite. */
export interface Call {
  method: string
  /** The path after `/services/data/v64.0`. */
  path: string
  query: URLSearchParams
  body: unknown
}

export interface Reply {
  status: number
  /** Undefined for 204. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Route {
  method: string
  pattern: RegExp
  kind: Kind
  handle(call: Call, ...parts: string[]): Reply
}

export function objectBody(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw apiError(
    400,
    'JSON_PARSER_ERROR',
    'The HTTP entity body is required, and must be an object',
  )
}
