import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** What may still arrive of a request that has its answer: enough for the sender to hear the answer. */
const DISCARD_BYTES = 8 * 1024 * 1024
const DISCARD_MS = 2_000

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
const isForm = ({ headers }: IncomingMessage) =>
  /^multipart\/form-data/i.test(headers['content-type'] ?? '')

/**
 * A body arrives within its time, and what is left of it when it has been answered is not read to its
 * end. Files take longer: whoever receives them bounds them.
 */
export function boundRequests(app: FastifyInstance, bodyMs: number): void {
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    response.once('finish', () => {
      if (!request.complete) discardRest(request)
    })
    if (isForm(request)) return
    const timer = setTimeout(() => {
      if (!request.complete) cutOff(request, response)
    }, bodyMs)
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}

class RequestTooSlow extends Error {
  override name = 'RequestTooSlow'
  readonly statusCode = 408
}

function cutOff(request: IncomingMessage, response: ServerResponse): void {
  // Whoever reads the body answers in our words and closes; destroyed, it could not be answered.
  const isRead = !response.headersSent && request.listenerCount('error') > 0
  if (isRead) request.emit('error', new RequestTooSlow())
  else request.destroy()
}

function discardRest(request: IncomingMessage): void {
  let left = DISCARD_BYTES
  const timer = setTimeout(() => request.destroy(), DISCARD_MS)
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  request.unpipe()
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  request.resume()
}
