import type { Org } from '../data/org.ts'
import { ApiError, apiError, notFound } from '../errors.ts'
import type { ErrorEntry } from '../errors.ts'
import { VERSION } from '../soql/project.ts'
import { objectBody } from './call.ts'
import type { Call, Reply, Route } from './call.ts'

const MAX_PARTS = 25
const MAX_QUERIES = 5
const REFERENCE = /@\{(\w+)\.([\w.[\]]+)\}/g

interface Part {
  method: string
  url: string
  referenceId: string
  body?: unknown
}

interface PartReply {
  body: unknown
  httpHeaders: Record<string, string>
  httpStatusCode: number
  referenceId: string
}

/** Several calls that count as one: the response is 200, and each part has its own status. */
export function compositeRoute(org: Org, handle: (call: Call) => Reply): Route {
  function run(part: Part, done: PartReply[]): PartReply {
    try {
      const url = new URL(filled(part.url, done), 'http://sandbox')
      const prefix = `/services/data/${VERSION}`
      if (!url.pathname.startsWith(`${prefix}/`)) throw notFound()
      const path = url.pathname.slice(prefix.length)
      if (path === '/composite') {
        throw apiError(400, 'INVALID_INPUT', 'A composite cannot contain a composite')
      }
      const body =
        part.body === undefined
          ? undefined
          : (JSON.parse(filled(JSON.stringify(part.body), done)) as unknown)
      const reply = handle({ method: part.method, path, query: url.searchParams, body })
      return {
        body: reply.body ?? null,
        httpHeaders: reply.headers ?? {},
        httpStatusCode: reply.status,
        referenceId: part.referenceId,
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return failed(part, error.status, error.errors)
    }
  }

  return {
    method: 'POST',
    pattern: /^\/composite\/?$/,
    kind: 'composite',
    handle({ body }) {
      const { compositeRequest, allOrNone = false } = objectBody(body)
      const parts = partsOf(compositeRequest)
      const replies: PartReply[] = []
      try {
        org.atomically(() => {
          for (const part of parts) {
            replies.push(run(part, replies))
            if (allOrNone === true && replies.at(-1)!.httpStatusCode >= 400) throw new Halted()
          }
        })
      } catch (error) {
        if (!(error instanceof Halted)) throw error
        const failedPart = replies.at(-1)!
        return {
          status: 200,
          body: {
            compositeResponse: parts.map((part) =>
              part.referenceId === failedPart.referenceId ? failedPart : halted(part),
            ),
          },
        }
      }
      return { status: 200, body: { compositeResponse: replies } }
    },
  }
}

class Halted extends Error {}

function partsOf(raw: unknown): Part[] {
  if (!Array.isArray(raw)) throw apiError(400, 'JSON_PARSER_ERROR', 'compositeRequest is required')
  const parts = raw as Part[]
  if (parts.length > MAX_PARTS) {
    const message = `The request cannot have more than ${MAX_PARTS} operations`
    throw apiError(400, 'LIMIT_EXCEEDED', message)
  }
  const heavy = parts.filter(({ url }) => /\/(query|queryAll|composite\/sobjects)\b/.test(url))
  if (heavy.length > MAX_QUERIES) {
    const message = `The request cannot have more than ${MAX_QUERIES} queries and collections`
    throw apiError(400, 'LIMIT_EXCEEDED', message)
  }
  const names = parts.map(({ referenceId }) => referenceId)
  if (
    names.some((name) => !/^[a-zA-Z]\w*$/.test(name ?? '')) ||
    new Set(names).size < names.length
  ) {
    throw apiError(400, 'INVALID_INPUT', 'Each part needs a referenceId of its own')
  }
  return parts
}

/** Replaces references to earlier responses: `@{newContact.id}`, `@{found.records[0].Id}`. */
function filled(text: string, done: PartReply[]): string {
  return text.replace(REFERENCE, (_, name: string, path: string) => {
    const reply = done.find(({ referenceId }) => referenceId === name)
    let value = reply === undefined || reply.httpStatusCode >= 400 ? undefined : reply.body
    for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
      value = (value as Record<string, unknown> | null | undefined)?.[key]
    }
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    const message = `Invalid reference specified. No value for ${name}.${path} found`
    throw apiError(400, 'PROCESSING_HALTED', message)
  })
}

function failed(part: Part, status: number, errors: ErrorEntry[]): PartReply {
  return { body: errors, httpHeaders: {}, httpStatusCode: status, referenceId: part.referenceId }
}

function halted(part: Part): PartReply {
  const message =
    'The transaction was rolled back since another operation in the same transaction failed.'
  return failed(part, 400, [{ errorCode: 'PROCESSING_HALTED', message }])
}
