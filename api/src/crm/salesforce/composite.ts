import { BASE } from './connection.ts'
import type { Call, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { failureOf, unreadable } from './errors.ts'

/** What is said of a part that failed only because another one did. */
const HALTED = 'PROCESSING_HALTED'

interface Part {
  body: unknown
  httpStatusCode: number
}

/**
 * Several calls for one of the quota, all or none of which take effect. The answer as a whole is a success
 * whatever became of its parts.
 */
export async function composite(
  connection: SalesforceConnection,
  deadline: Deadline,
  calls: readonly Call[],
): Promise<unknown[]> {
  const compositeRequest = calls.map(({ method, path, body }, at) => ({
    method,
    url: BASE + path,
    referenceId: `part${at}`,
    ...(body === undefined ? {} : { body }),
  }))
  const { body } = await connection.send<{ compositeResponse?: Part[] }>(
    { method: 'POST', path: '/composite', body: { allOrNone: true, compositeRequest } },
    deadline,
  )
  const parts = body.compositeResponse
  if (parts?.length !== calls.length) throw unreadable()
  const failures = parts
    .filter(({ httpStatusCode }) => httpStatusCode >= 300)
    .map((part) => failureOf(part.httpStatusCode, part.body))
  const failure = failures.find(({ code }) => code !== HALTED) ?? failures[0]
  if (failure !== undefined) throw failure
  return parts.map((part) => part.body)
}
