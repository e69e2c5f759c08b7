import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { readBlob } from './blobs.ts'
import type { Reply } from './call.ts'

export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const bytes = start(response, reply)
  if (reply.file) await pipeline(readBlob(reply.file), response)
  else response.end(bytes)
}

/** Announces the whole response, sends half of it and closes the connection. */
export async function sendHalf(response: ServerResponse, reply: Reply): Promise<void> {
  const bytes = start(response, reply)
  const half = Math.floor((reply.file?.size ?? bytes.length) / 2)
  if (reply.file && half > 0) {
    await pipeline(readBlob(reply.file, half), response, { end: false })
  } else if (half > 0) {
    response.write(bytes.subarray(0, half))
  } else {
    response.flushHeaders()
  }
  response.socket?.destroySoon()
}

function start(response: ServerResponse, reply: Reply): Buffer {
  const { status = 200, headers = {}, json, text, file } = reply
  const bytes = Buffer.from(json === undefined ? (text ?? '') : JSON.stringify(json))
  response.writeHead(status, {
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(status === 204 ? {} : { 'content-length': file?.size ?? bytes.length }),
    'cache-control': 'no-store',
    ...headers,
  })
  return bytes
}
