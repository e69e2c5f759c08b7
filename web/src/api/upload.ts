import type { ResponseOut, Endpoint, FormIn, Params } from '@guidon/contract/endpoint'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { CallFailure } from './call-failure.ts'
import { withSessionRefresh } from './call.ts'
import { addressOf, readResponse, TIMED_OUT, type RawResponse } from './send.ts'

/** How long the server may check a file after it has received it. */
const CHECK_SECONDS = 60

/** Name of the event that the window gets while an upload makes progress. */
export const UPLOAD_PROGRESS = 'guidon-upload-progress'

interface Options {
  /** The fraction that has been sent, from 0 to 1; at 1 the server's check is still running. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

export type Upload<E extends Endpoint> = Options & { file: File; form: FormIn<E> } & PathOf<E>

type PathOf<E extends Endpoint> = keyof Params<E> extends never
  ? { params?: never }
  : { params: Params<E> }

/** `Upload` without the endpoint's types, for the implementation. */
interface UntypedUpload extends Options {
  file: File
  form: Record<string, string | undefined>
  params?: Record<string, string>
}

/**
 * Sends a file to an endpoint that takes a form. Like `call`, but the timeout restarts with every
 * progress: a large file may take long on a slow connection.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  parts: Upload<E>,
): Promise<ResponseOut<E>> {
  const { file, form, params = {}, ...options } = parts as unknown as UntypedUpload
  const address = addressOf(endpoint, { params })
  const request = async () =>
    readResponse(endpoint, await exchange(endpoint, address, formOf(form, file), options))
  return (await withSessionRefresh(endpoint, request)) as ResponseOut<E>
}

/** The fields come first, because the server needs them before the file. */
function formOf(fields: Record<string, string | undefined>, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value)
  }
  form.append('file', file, file.name)
  return form
}

function exchange(
  endpoint: Endpoint,
  address: string,
  body: FormData,
  { onProgress, signal }: Options,
): Promise<RawResponse> {
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
      dispatchEvent(new Event(UPLOAD_PROGRESS))
      onProgress?.(total === 0 ? 0 : Math.min(loaded / total, 1))
    })
    request.upload.addEventListener('load', () => {
      startTimer(CHECK_SECONDS)
      onProgress?.(1)
    })
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader('Retry-After'),
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
    request.setRequestHeader('Accept', 'application/json')
    startTimer(REQUEST_TIMEOUT_SECONDS)
    request.send(body)
  })
}
