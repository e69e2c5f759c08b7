import { tooBusy } from '@guidon/contract/refusal'
import type { Refusal } from '@guidon/contract/refusal'
import type { FastifyRequest } from 'fastify'
import { RefusalError } from './refuse.ts'

/** A staff action that was refused to someone who is signed in. */
export interface RefusedAction {
  actorId: string
  /** Method and path of the endpoint, with its parameters' names. */
  action: string
  /** As the caller wrote them. */
  params: Readonly<Record<string, string>>
  refusal: Refusal
}

/** Undefined for everything else: other routes, failures, callers without a session, and a busy server. */
export function refusedStaffAction(
  request: FastifyRequest,
  error: unknown,
): RefusedAction | undefined {
  const { endpoint } = request.routeOptions.config
  const isForStaff = endpoint?.roles !== undefined && !endpoint.roles.includes('USER')
  if (!isForStaff || !request.actorId || !(error instanceof RefusalError)) return undefined
  if (error.refusal.status === tooBusy.status) return undefined
  return {
    actorId: request.actorId,
    action: `${endpoint.method} ${endpoint.path}`,
    params: request.params as Record<string, string>,
    refusal: error.refusal,
  }
}
