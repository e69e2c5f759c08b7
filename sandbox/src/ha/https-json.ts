import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Certificates } from './certificates.ts'

const TIMEOUT_MS = 2_000
/** A switchover is answered when it is done. */
const CHANGE_TIMEOUT_MS = 60_000

interface Response {
  status: number
  body: string
}

export type HttpsClient = (port: number, path: string, body?: object) => Promise<Response>

/** A client with the certificate of the machines. A call with a body is a POST. */
export function httpsClient({ ca, certificate, key }: Certificates): HttpsClient {
  const tls = { ca: readFileSync(ca), cert: readFileSync(certificate), key: readFileSync(key) }
  return (port, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request({
        ...tls,
        host: '127.0.0.1',
        port,
        path,
        agent: false,
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json' },
        timeout: body ? CHANGE_TIMEOUT_MS : TIMEOUT_MS,
      })
      sent.once('response', (response) => {
        text(response).then(
          (received) => resolve({ status: response.statusCode ?? 0, body: received }),
          reject,
        )
      })
      sent.once('timeout', () => sent.destroy(new Error(`no response at port ${port}`)))
      sent.once('error', reject)
      sent.end(body && JSON.stringify(body))
    })
}
