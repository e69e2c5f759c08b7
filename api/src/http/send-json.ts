import { addAbortSignal } from 'node:stream'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The screen has long given up by then; whoever reads so slowly holds a connection to PostgreSQL. */
const PATIENCE_MS = 20_000

/** An answer's JSON, ready as it is, zipped or not: for what is too long to be held as a value. */
export type Streamed = (zipped: boolean) => Readable

/** Sends JSON as it comes. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: Streamed,
): FastifyReply {
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const json = addAbortSignal(AbortSignal.timeout(PATIENCE_MS), stream(zipped))
  reply.type('application/json; charset=utf-8')
  if (zipped) reply.header('content-encoding', 'gzip')
  return reply.send(json)
}
