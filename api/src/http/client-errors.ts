import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const STATUS_OF: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Node stores the current response on the socket. */
const hasStartedResponse = (socket: Socket & { ['_httpMessage']?: ServerResponse }) =>
  socket['_httpMessage']?.headersSent === true

/** Responds to requests that Node cannot parse, or whose headers take too long. */
export function onClientError(headers: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const status = STATUS_OF[error.code ?? ''] ?? 400
    const body = JSON.stringify({ code: 'bad_request' })
    const head = {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    // A second response would be read as part of the first.
    if (socket.writable && !hasStartedResponse(socket)) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    }
    socket.destroySoon()
  }
}
