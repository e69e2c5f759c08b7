import type { AnswerOut, Endpoint, FormIn, Params } from '@guidon/contract/endpoint'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { CallFailure } from './call-failure.ts'
import { inSession } from './call.ts'
import { addressOf, readAnswer, TIMED_OUT, type RawAnswer } from './send.ts'

/** How long the server may look at a file once it has all of it. */
export const VERDICT_SECONDS = 60

interface Watch {
  /** How much of it has left, from 0 to 1; all of it is there when this is 1, and the verdict is not. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

export type Upload<E extends Endpoint> = Watch & { file: File; form: FormIn<E> } & PathOf<E>

type PathOf<E extends Endpoint> = keyof Params<E> extends never
  ? { params?: never }
  : { params: Params<E> }

/** The same, once the types have done their work. */
interface LooseUpload extends Watch {
  file: File
  form: Record<string, string | undefined>
  params?: Record<string, string>
}

/**
 * Sends a file to an endpoint that takes a form. As `call`, but it may take as long as it moves: ten
 * seconds are for a line on which nothing goes, not for a large file on a slow one.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  parts: Upload<E>,
): Promise<AnswerOut<E>> {
  const { file, form, params = {}, ...watch } = parts as unknown as LooseUpload
  const address = addressOf(endpoint, { params })
  const request = async () =>
    readAnswer(endpoint, await exchange(endpoint, address, formOf(form, file), watch))
  return (await inSession(endpoint, request)) as AnswerOut<E>
}

/** The fields first: the server knows what the file is before it comes. */
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
  { onProgress, signal }: Watch,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    // `fetch` cannot say how much of a body has gone.
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const fail = (code: string) =>
      reject(new CallFailure({ status: 0, code, message: endpoint.failure }))
    const patience = (seconds: number) => {
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
      patience(REQUEST_TIMEOUT_SECONDS)
      onProgress?.(total === 0 ? 0 : Math.min(loaded / total, 1))
    })
    request.upload.addEventListener('load', () => {
      patience(VERDICT_SECONDS)
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
    patience(REQUEST_TIMEOUT_SECONDS)
    request.send(body)
  })
}
