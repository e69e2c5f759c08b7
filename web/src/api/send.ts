import { pathOf, type Endpoint } from '@guidon/contract/endpoint'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { refusalBody } from '@guidon/contract/refusal'
import { CallFailure } from './call-failure.ts'
import type { UntypedParts } from './call-parts.ts'
import { callSettings } from './settings.ts'

export const TIMED_OUT = 'timed_out'

/** A response, of `fetch` or of `XMLHttpRequest`. */
export interface RawResponse {
  status: number
  text: string
  retryAfter: string | null
}

/** One request without session handling. */
export async function send(endpoint: Endpoint, parts: UntypedParts): Promise<unknown> {
  return readResponse(endpoint, await exchange(endpoint, parts))
}

/** Parses the response by the contract. An error status or an unexpected body throws a `CallFailure`. */
export function readResponse(
  endpoint: Endpoint,
  { status, text, retryAfter }: RawResponse,
): unknown {
  const json = parseJson(text)
  if (status < 200 || status > 299) {
    const refusal = refusalBody.safeParse(json)
    throw new CallFailure({
      status,
      code: refusal.data?.code ?? 'unexpected',
      message: refusal.data?.message || endpoint.failure,
      fields: refusal.data?.fields,
      retryAfterSeconds: secondsOf(retryAfter),
    })
  }
  if (endpoint.response === undefined) return undefined
  const response = endpoint.response.safeParse(json)
  if (response.success) return response.data
  throw new CallFailure({ status, code: 'unexpected_answer', message: endpoint.failure })
}

async function exchange(endpoint: Endpoint, parts: UntypedParts): Promise<RawResponse> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_SECONDS * 1000)
  try {
    const response = await fetch(addressOf(endpoint, parts), {
      method: endpoint.method,
      credentials: 'include',
      headers: {
        Accept: 'application/json',
        ...(parts.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      ...(parts.keepalive && { keepalive: true }),
      signal: parts.signal ? AbortSignal.any([parts.signal, timeout.signal]) : timeout.signal,
    })
    // The timeout covers the body too.
    const text = await response.text()
    return { status: response.status, text, retryAfter: response.headers.get('Retry-After') }
  } catch (error) {
    if (parts.signal?.aborted) throw error
    throw new CallFailure({
      status: 0,
      code: timeout.signal.aborted ? TIMED_OUT : 'no_network',
      message: endpoint.failure,
    })
  } finally {
    clearTimeout(timer)
  }
}

export function addressOf(endpoint: Endpoint, { params = {}, query = {} }: UntypedParts): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const path = callSettings().host + pathOf(endpoint, params)
  return search.size === 0 ? path : `${path}?${search}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
