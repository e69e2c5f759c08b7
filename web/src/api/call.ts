import type { ResponseOut, Endpoint } from '@guidon/contract/endpoint'
import { CallFailure, isAuthFailure } from './call-failure.ts'
import type { UntypedParts, PartsArgument } from './call-parts.ts'
import { send } from './send.ts'
import { REFRESH_WAIT_MESSAGE, refreshCount, sessionRefresh } from './session-refresh.ts'
import { recordSessionCall } from './session-seen.ts'

/** Calls an endpoint of the contract; every failure is a `CallFailure`. */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[parts = {} as never]: PartsArgument<E>
): Promise<ResponseOut<E>> {
  return (await withSessionRefresh(endpoint, () =>
    send(endpoint, parts as UntypedParts),
  )) as ResponseOut<E>
}

/**
 * Sends the request, and repeats it after a refresh if the session was refused. `quiet`: see `sessionRefresh`. A request
 * in the background is sent once and does not count as use: it must not keep the session of an absent user open.
 */
export async function withSessionRefresh(
  endpoint: Endpoint,
  request: () => Promise<unknown>,
  { quiet = false } = {},
): Promise<unknown> {
  if (endpoint.inBackground) return request()
  const startedAt = Date.now()
  const response = await sendWithRefresh(endpoint, request, quiet)
  if (endpoint.session === 'required') recordSessionCall(startedAt)
  return response
}

async function sendWithRefresh(
  endpoint: Endpoint,
  request: () => Promise<unknown>,
  quiet: boolean,
): Promise<unknown> {
  const refreshesBefore = refreshCount()
  try {
    return await request()
  } catch (failure) {
    // Without a session, a 401 is the actual result.
    if (endpoint.session !== 'required' || !isAuthFailure(failure)) throw failure
    if (refreshesBefore === refreshCount()) await refreshFor(endpoint, failure, quiet)
    return request()
  }
}

async function refreshFor(endpoint: Endpoint, failure: unknown, quiet: boolean): Promise<void> {
  const outcome = await sessionRefresh(quiet)
  if (outcome === 'refreshed') return
  if (outcome === 'refused') throw failure
  throw new CallFailure({
    status: 0,
    code: outcome,
    message: outcome === 'waited_too_long' ? REFRESH_WAIT_MESSAGE : endpoint.failure,
  })
}
