import { pathOf, type Endpoint } from '@guidon/contract/endpoint'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { refusalBody } from '@guidon/contract/refusal'
import { CallFailure } from './call-failure.ts'
import type { LooseParts } from './call-parts.ts'
import { callSettings } from './settings.ts'

export const TIMED_OUT = 'timed_out'

/** One request and its answer, with no thought of sessions. */
export async function send(endpoint: Endpoint, parts: LooseParts): Promise<unknown> {
  const { response, text } = await exchange(endpoint, parts)
  const json = parsed(text)
  if (!response.ok) {
    const refusal = refusalBody.safeParse(json)
    throw new CallFailure({
      status: response.status,
      code: refusal.data?.code ?? 'unexpected',
      message: refusal.data?.message || endpoint.failure,
      fields: refusal.data?.fields,
      retryAfterSeconds: retryAfter(response),
    })
  }
  if (endpoint.answer === undefined) return undefined
  const answer = endpoint.answer.safeParse(json)
  if (answer.success) return answer.data
  throw new CallFailure({
    status: response.status,
    code: 'unexpected_answer',
    message: endpoint.failure,
  })
}

async function exchange(endpoint: Endpoint, parts: LooseParts) {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), REQUEST_TIMEOUT_SECONDS * 1000)
  try {
    const response = await fetch(addressOf(endpoint, parts), {
      method: endpoint.method,
      credentials: 'include',
      headers: {
        Accept: 'application/json',
        ...(parts.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      signal: parts.signal ? AbortSignal.any([parts.signal, clock.signal]) : clock.signal,
    })
    // Read inside the clock: a body that trickles is as late as an answer that never starts.
    return { response, text: await response.text() }
  } catch (error) {
    if (parts.signal?.aborted) throw error
    throw new CallFailure({
      status: 0,
      code: clock.signal.aborted ? TIMED_OUT : 'no_network',
      message: endpoint.failure,
    })
  } finally {
    clearTimeout(timer)
  }
}

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: LooseParts): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const path = callSettings().host + pathOf(endpoint, params)
  return search.size === 0 ? path : `${path}?${search}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfter(response: Response): number | undefined {
  const header = response.headers.get('Retry-After')
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
