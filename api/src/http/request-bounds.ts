import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** What may still arrive of a request that has its answer: enough for the sender to hear the answer. */
const DISCARD_BYTES = 8 * 1024 * 1024
const DISCARD_MS = 2_000
const DISCARD_LOOK_MS = 20

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

/** Reads on for a moment: a connection that is destroyed while data arrives loses its answer. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request
  const until = performance.now() + DISCARD_MS
  const most = socket.bytesRead + DISCARD_BYTES
  // Counted on the socket: Node hides from listeners what it discards by itself.
  const looking = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(looking)
    else if (performance.now() > until) request.destroy()
    // The sender is stopped, not cut off, so that it finds its answer.
    else if (socket.bytesRead > most) socket.pause()
  }, DISCARD_LOOK_MS)
  request.unpipe()
  request.resume()
}
