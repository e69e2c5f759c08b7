import { BASE } from './connection.ts'
import type { SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { failureOf, unreadable } from './errors.ts'

interface Part {
  body: unknown
  httpStatusCode: number
}

/** The most queries that one composite may contain. */
export const MAX_QUERIES = 5

/**
 * Sends up to five queries as one call of the quota. Each result is a function that returns the rows or throws the
 * failure of its query.
 */
export async function sendQueries(
  connection: SalesforceConnection,
  deadline: Deadline,
  paths: readonly string[],
): Promise<{ results: (() => unknown)[]; asOf: string }> {
  const compositeRequest = paths.map((path, at) => ({
    method: 'GET',
    url: BASE + path,
    referenceId: `query${at}`,
  }))
  const { body, asOf } = await connection.send<{ compositeResponse?: Part[] }>(
    { method: 'POST', path: '/composite', body: { allOrNone: false, compositeRequest } },
    deadline,
  )
  const parts = body.compositeResponse
  if (parts?.length !== paths.length) throw unreadable()
  const results = parts.map((part) => () => {
    if (part.httpStatusCode >= 300) throw failureOf(part.httpStatusCode, part.body)
    return part.body
  })
  return { results, asOf }
}
