import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { uploadDocument } from '@guidon/contract/documents'
import { FORM_TYPE, forwardedFor } from './target.ts'
import type { Target } from './target.ts'

export interface OpenUpload {
  request: ClientRequest
  status(): number | undefined
  response: Promise<{ status: number; body: string; retryAfter: string | undefined }>
  /** Whether either side has closed the connection. */
  closed(): boolean
}

/** Starts an upload on its own connection. Without a length, the body is chunked. */
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
  const completed = new Promise<Awaited<OpenUpload['response']>>((resolve, reject) => {
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
      reject(new Error('closed without a response'))
    })
    sent.on('error', reject)
  })
  // Some attacks ignore the response.
  completed.catch(() => {})
  return { request: sent, status: () => status, response: completed, closed: () => closed }
}
