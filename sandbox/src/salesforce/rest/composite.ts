import type { Org } from '../data/org.ts'
import { Problem, problem } from '../problem.ts'
import type { WireError } from '../problem.ts'
import { VERSION } from '../soql/project.ts'
import { objectBody } from './call.ts'
import type { Call, Reply, Route } from './call.ts'

const MOST_PARTS = 25
const MOST_QUERIES = 5
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

/** Several calls in one of the quota: 200 whatever becomes of them, each with its own status. */
export function compositeRoute(org: Org, answer: (call: Call) => Reply): Route {
  function run(part: Part, done: PartReply[]): PartReply {
    try {
      const url = new URL(filled(part.url, done), 'http://sandbox')
      const prefix = `/services/data/${VERSION}`
      if (!url.pathname.startsWith(`${prefix}/`))
        throw problem(404, 'NOT_FOUND', 'The requested resource does not exist')
      const path = url.pathname.slice(prefix.length)
      if (path === '/composite')
        throw problem(400, 'INVALID_INPUT', 'A composite holds no composite')
      const body =
        part.body === undefined
          ? undefined
          : (JSON.parse(filled(JSON.stringify(part.body), done)) as unknown)
      const reply = answer({ method: part.method, path, query: url.searchParams, body })
      return {
        body: reply.body ?? null,
        httpHeaders: reply.headers ?? {},
        httpStatusCode: reply.status,
        referenceId: part.referenceId,
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return failed(part, error.status, error.errors)
    }
  }

  return {
    method: 'POST',
    pattern: /^\/composite\/?$/,
    kind: 'composite',
    answer({ body }) {
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
        const culprit = replies.at(-1)!
        return {
          status: 200,
          body: {
            compositeResponse: parts.map((part) =>
              part.referenceId === culprit.referenceId ? culprit : halted(part),
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
  if (!Array.isArray(raw)) throw problem(400, 'JSON_PARSER_ERROR', 'compositeRequest is required')
  const parts = raw as Part[]
  if (parts.length > MOST_PARTS) {
    throw problem(
      400,
      'LIMIT_EXCEEDED',
      `The request cannot have more than ${MOST_PARTS} operations`,
    )
  }
  const heavy = parts.filter(({ url }) => /\/(query|queryAll|composite\/sobjects)\b/.test(url))
  if (heavy.length > MOST_QUERIES) {
    const message = `The request cannot have more than ${MOST_QUERIES} queries and collections`
    throw problem(400, 'LIMIT_EXCEEDED', message)
  }
  const names = parts.map(({ referenceId }) => referenceId)
  if (
    names.some((name) => !/^[a-zA-Z]\w*$/.test(name ?? '')) ||
    new Set(names).size < names.length
  ) {
    throw problem(400, 'INVALID_INPUT', 'Each part needs a referenceId of its own')
  }
  return parts
}

/** Puts in what an earlier part answered: `@{newContact.id}`, `@{found.records[0].Id}`. */
function filled(text: string, done: PartReply[]): string {
  return text.replace(REFERENCE, (_, name: string, path: string) => {
    const reply = done.find(({ referenceId }) => referenceId === name)
    if (reply === undefined || reply.httpStatusCode >= 400) {
      throw problem(
        400,
        'PROCESSING_HALTED',
        `Invalid reference specified. No value for ${name}.${path} found`,
      )
    }
    let value = reply.body
    for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
      value = (value as Record<string, unknown> | null | undefined)?.[key]
    }
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw problem(
      400,
      'PROCESSING_HALTED',
      `Invalid reference specified. No value for ${name}.${path} found`,
    )
  })
}

function failed(part: Part, status: number, errors: WireError[]): PartReply {
  return { body: errors, httpHeaders: {}, httpStatusCode: status, referenceId: part.referenceId }
}

function halted(part: Part): PartReply {
  const message =
    'The transaction was rolled back since another operation in the same transaction failed.'
  return failed(part, 400, [{ errorCode: 'PROCESSING_HALTED', message }])
}
