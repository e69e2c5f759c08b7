import { problem } from '../problem.ts'
import type { Kind } from '../usage.ts'

/** One call of the data API, from the wire or from inside a composite. */
export interface Call {
  method: string
  /** What follows `/services/data/v64.0`. */
  path: string
  query: URLSearchParams
  body: unknown
}

export interface Reply {
  status: number
  /** Nothing for 204. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Route {
  method: string
  pattern: RegExp
  kind: Kind
  answer(call: Call, ...parts: string[]): Reply
}

export function objectBody(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw problem(400, 'JSON_PARSER_ERROR', 'The HTTP entity body is required, and must be an object')
}
