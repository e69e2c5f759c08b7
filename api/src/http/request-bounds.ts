import type { IncomingMessage, ServerResponse } from 'node:http'
import { PART_TYPE } from '@guidon/contract/resumable-uploads'
import type { FastifyInstance } from 'fastify'

/** Limits for reading the rest of a body after the response was sent, so that the client can receive the response. */
const DISCARD_BYTES = 8 * 1024 * 1024
const DISCARD_MS = 2_000
const DISCARD_CHECK_MS = 20

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
/** Without its parameters, such as the charset. */
export const mediaTypeOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
const isUpload = (request: IncomingMessage) =>
  [PART_TYPE, 'multipart/form-data'].includes(mediaTypeOf(request))

/**
 * Limits the time for a body, and how much of it is read after the response. Uploads take longer, so
 * their routes have their own limits.
 */
export function boundRequests(app: FastifyInstance, bodyTimeoutMs: number): void {
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    response.once('finish', () => {
      if (!request.complete) discardRest(request)
    })
    if (isUpload(request)) return
    const timer = setTimeout(() => {
      if (!request.complete) abortBody(request, response)
    }, bodyTimeoutMs)
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}

class RequestTooSlow extends Error {
  override name = 'RequestTooSlow'
  readonly statusCode = 408
}

function abortBody(request: IncomingMessage, response: ServerResponse): void {
  // If a handler reads the body, the error lets it respond; a destroyed request gets no response.
  const isRead = !response.headersSent && request.listenerCount('error') > 0
  if (isRead) request.emit('error', new RequestTooSlow())
  else request.destroy()
}

/** Keep draining, or the client never receives the response. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request
  const until = performance.now() + DISCARD_MS
  const maxBytesRead = socket.bytesRead + DISCARD_BYTES
  // Counted on the socket, because Node discards some data without events.
  const checking = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(checking)
    else if (performance.now() > until) request.destroy()
    // Pause instead of closing, so that the client can still read the response.
    else if (socket.bytesRead > maxBytesRead) socket.pause()
  }, DISCARD_CHECK_MS)
  request.unpipe()
  request.resume()
}
