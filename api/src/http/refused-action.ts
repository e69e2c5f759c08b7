import { tooBusy } from '@guidon/contract/refusal'
import type { Refusal } from '@guidon/contract/refusal'
import type { FastifyRequest } from 'fastify'
import { RefusalError } from './refuse.ts'

/** A staff action that was refused to a signed-in user. */
export interface RefusedAction {
  actorId: string
  /** Method and path pattern of the endpoint. */
  action: string
  /** As received, not validated. */
  params: Readonly<Record<string, string>>
  refusal: Refusal
}

/** Undefined for other routes, unexpected errors, clients without a session, and a busy server. */
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
