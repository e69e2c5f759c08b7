import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { uploadDocument } from '@guidon/contract/documents'
import { FORM_TYPE, forwardedFor } from './target.ts'
import type { Target } from './target.ts'

export interface OpenUpload {
  request: ClientRequest
  /** Of the answer; undefined while there is none. */
  status(): number | undefined
  /** The answer's body and its time to come back, once all of it is there. */
  answer: Promise<{ status: number; body: string; retryAfter: string | undefined }>
  /** Whether the server has ended the connection, or the sender has. */
  closed(): boolean
}

/** Begins to upload, on a connection of its own. Without a length, the body is chunked. */
export function openUpload(
  target: Target,
  length?: number,
  headers: Record<string, string> = {},
): OpenUpload {
  const { base, origin, cookie } = target
  const sent = request(base + uploadDocument.path, {
    method: 'POST',
    agent: false,
    headers: {
      origin,
      cookie,
      ...forwardedFor(target),
      'content-type': FORM_TYPE,
      ...(length === undefined ? {} : { 'content-length': length }),
      ...headers,
    },
  })
  let status: number | undefined
  let closed = false
  const answer = new Promise<Awaited<OpenUpload['answer']>>((resolve, reject) => {
    sent.once('response', (response) => {
      status = response.statusCode
      let body = ''
      response.on('data', (chunk) => (body += String(chunk)))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: status ?? 0, body, retryAfter: response.headers['retry-after'] }),
      )
    })
    sent.once('close', () => {
      closed = true
      reject(new Error('closed without an answer'))
    })
    sent.on('error', reject)
  })
  // An attacker may not care for it.
  answer.catch(() => {})
  return { request: sent, status: () => status, answer, closed: () => closed }
}
