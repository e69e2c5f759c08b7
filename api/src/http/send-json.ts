import { addAbortSignal } from 'node:stream'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The screen's own timeout is shorter; a slow reader occupies a database connection. */
const TIMEOUT_MS = 20_000

/** A response as a stream of JSON, for data that is too large to hold in memory. */
export type Streamed = (zipped: boolean) => Readable

export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: Streamed,
): FastifyReply {
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const json = addAbortSignal(AbortSignal.timeout(TIMEOUT_MS), stream(zipped))
  reply.type('application/json; charset=utf-8')
  if (zipped) reply.header('content-encoding', 'gzip')
  return reply.send(json)
}
