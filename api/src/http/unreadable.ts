import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const STATUS_OF: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Node keeps the answer that is under way on the connection. */
const hasBegunToAnswer = (socket: Socket & { ['_httpMessage']?: ServerResponse }) =>
  socket['_httpMessage']?.headersSent === true

/** Answers what Node's parser could not read as a request, or what took too long to become one. */
export function answerUnreadable(headers: Record<string, string>) {
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
    // Behind an answer that has begun, another one would be taken for a part of it.
    if (socket.writable && !hasBegunToAnswer(socket)) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    }
    socket.destroySoon()
  }
}
