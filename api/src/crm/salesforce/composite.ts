import { BASE } from './connection.ts'
import type { Call, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { failureOf, unreadable } from './errors.ts'

/** The error code of a part that failed only because another part failed. */
const HALTED = 'PROCESSING_HALTED'

interface Part {
  body: unknown
  httpStatusCode: number
}

/**
 * Sends several calls as one call of the quota; either all or none take effect. The response is a success
 * even if its parts failed.
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
