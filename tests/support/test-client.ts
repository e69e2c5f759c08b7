import type { Document } from '@guidon/contract/documents'
import { pathOf } from '@guidon/contract/endpoint'
import type { ResponseOut, BodyIn, Endpoint, Params } from '@guidon/contract/endpoint'
import type { RefusalBody } from '@guidon/contract/refusal'

export interface Reply<Body = unknown> {
  status: number
  body: Body
  headers: Headers
}

type CallOptions<E extends Endpoint> = {
  headers?: Record<string, string>
} & (BodyIn<E> extends undefined ? { body?: undefined } : { body: BodyIn<E> }) &
  ({} extends Params<E> ? { params?: Params<E> } : { params: Params<E> })

/** The Cookie header of a client. */
export const cookieOf = ({ cookies }: { cookies: ReadonlyMap<string, string> }): string =>
  [...cookies].map((pair) => pair.join('=')).join('; ')

/** An HTTP client with its own cookies, like a browser. */
export class TestClient {
  readonly cookies = new Map<string, string>()
  readonly #base: string
  readonly #origin: string

  constructor(base: string, origin: string) {
    this.#base = base
    this.#origin = origin
  }

  async call<const E extends Endpoint>(
    endpoint: E,
    options: CallOptions<E>,
  ): Promise<Reply<ResponseOut<E> extends undefined ? RefusalBody : ResponseOut<E> & RefusalBody>> {
    const path = pathOf(endpoint, (options.params ?? {}) as Params<E>)
    return this.send(endpoint.method, path, options.body, options.headers) as never
  }

  /** Sends a file as the web app does, with the form fields before it. */
  async upload<const E extends Endpoint>(
    endpoint: E,
    file: { name: string; bytes: Buffer },
    options: { fields?: Record<string, string>; params?: Params<E> } = {},
  ): Promise<Reply<Document & RefusalBody>> {
    const path = pathOf(endpoint, (options.params ?? {}) as Params<E>)
    return this.send(endpoint.method, path, formOf(file, options.fields)) as never
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(this.#base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(method === 'GET' ? {} : { origin: this.#origin }),
        ...(this.cookies.size > 0 && {
          cookie: cookieOf(this),
        }),
        // fetch sets the content type of a form, with its boundary.
        ...(body !== undefined && !isSentAsIs(body) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || isSentAsIs(body) ? body : JSON.stringify(body),
        // Required for a body that is sent piece by piece.
        duplex: 'half',
      }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = line.match(/^([^=]+)=([^;]*)/) ?? []
      if (!name) continue
      if (value) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      body: json && text !== '' ? JSON.parse(text) : text,
      headers: response.headers,
    }
  }
}

type SentAsIs = FormData | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>
const isSentAsIs = (body: unknown): body is SentAsIs =>
  body instanceof FormData ||
  body instanceof Uint8Array ||
  (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

export function formOf(
  file: { name: string; bytes: Buffer },
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(file.bytes)]), file.name)
  return form
}
