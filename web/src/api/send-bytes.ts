import type { Endpoint } from '@guidon/contract/endpoint'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { CallFailure } from './call-failure.ts'
import { TIMED_OUT, type RawResponse } from './send.ts'
import { UPLOAD_PROGRESS } from './upload-signals.ts'

/** How long the server may check a file after it has received it. */
export const CHECK_SECONDS = 60

interface BytesRequest {
  endpoint: Endpoint
  address: string
  headers?: Record<string, string>
  body?: Blob | FormData
  /** How long the server may take for its response once everything is sent. */
  responseSeconds: number
  /** Whether sending counts as activity of the user. */
  isActivity?: boolean
  /** The fraction of the body that has been sent, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface BytesResponse extends RawResponse {
  header(name: string): string | null
}

/** One request without session handling. The timeout restarts with every progress. */
export function sendBytes({
  endpoint,
  address,
  headers = {},
  body,
  responseSeconds,
  isActivity = true,
  onProgress,
  signal,
}: BytesRequest): Promise<BytesResponse> {
  return new Promise((resolve, reject) => {
    // `fetch` does not report the progress of an upload.
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const fail = (code: string) =>
      reject(new CallFailure({ status: 0, code, message: endpoint.failure }))
    const startTimer = (seconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        fail(TIMED_OUT)
        request.abort()
      }, seconds * 1000)
    }
    const stop = () => {
      reject(signal?.reason as Error)
      request.abort()
    }

    request.upload.addEventListener('progress', ({ loaded, total }) => {
      startTimer(REQUEST_TIMEOUT_SECONDS)
      if (isActivity) dispatchEvent(new Event(UPLOAD_PROGRESS))
      onProgress?.(total === 0 ? 0 : Math.min(loaded / total, 1))
    })
    request.upload.addEventListener('load', () => {
      startTimer(responseSeconds)
      onProgress?.(1)
    })
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader('Retry-After'),
        header: (name) => request.getResponseHeader(name),
      }),
    )
    request.addEventListener('error', () => fail('no_network'))
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    })

    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop)
    request.open(endpoint.method, address)
    request.withCredentials = true
    for (const [name, value] of Object.entries({ Accept: 'application/json', ...headers }))
      request.setRequestHeader(name, value)
    startTimer(body ? REQUEST_TIMEOUT_SECONDS : responseSeconds)
    request.send(body)
  })
}
