import { Readable } from 'node:stream'
import { noChallenge } from '@guidon/contract/auth'
import type { ResponseIn, BodyOut, Endpoint, Params, QueryOut } from '@guidon/contract/endpoint'
import { handOffGone } from '@guidon/contract/hand-off'
import { noSession, notFound, wrongRole } from '@guidon/contract/refusal'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type * as z from 'zod/mini'
import type { LiveSession } from '../db/sessions.ts'
import type { Cookies } from './cookies.ts'
import { refuse, refuseInput } from './refuse.ts'
import { sendJson } from './send-json.ts'
import type { Streamed } from './send-json.ts'

export type FindSession = (
  accessToken: string,
  options: { countsAsUse: boolean },
) => Promise<LiveSession | undefined>

declare module 'fastify' {
  interface FastifyInstance {
    guidonCookies: Cookies
    findSession: FindSession
    /** Filled by `bind`; tests compare it with the contract. */
    bound: Set<Endpoint>
  }
  interface FastifyRequest {
    /** The signed-in user, for the log of refused staff actions. */
    actorId: string | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** What a handler gets in addition to its input, by the session that its endpoint requires. */
type SessionOf<E extends Endpoint> = E['session'] extends 'required'
  ? LiveSession
  : E['session'] extends 'challenge'
    ? { challengeToken: string }
    : E['session'] extends 'phone'
      ? { phoneToken: string }
      : unknown

type Context<E extends Endpoint> = SessionOf<E> & {
  body: BodyOut<E>
  params: Params<E>
  query: QueryOut<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** A function streams JSON; a stream is sent as it is. */
type Result<E extends Endpoint> = ResponseIn<E> | Streamed | Readable

export type Handler<E extends Endpoint> = (context: Context<E>) => Result<E> | Promise<Result<E>>

/** Serves an endpoint of the contract: checks session and role, parses the input, and filters the output. */
export function bind<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  options: Pick<RouteShorthandOptions, 'onRequest'> = {},
): void {
  app.bound.add(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    ...options,
    handler: async (request, reply) => {
      const session = await sessionOf(app, endpoint, request)
      const context = {
        ...session,
        body: parse(endpoint.body, request.body),
        params: paramsOf(endpoint, request),
        query: parse(endpoint.query, request.query),
        request,
        reply,
      } as unknown as Context<E>
      // Set before the handler, which may choose another status, such as 200 instead of 201.
      reply.status(endpoint.status ?? (endpoint.response ? 200 : 204))
      const result = await handler(context)
      if (typeof result === 'function') return sendJson(request, reply, result)
      if (result instanceof Readable) return reply.send(result)
      // Parsing also drops the fields that the contract does not name.
      return reply.send(endpoint.response?.parse(result))
    },
  })
}

async function sessionOf(app: FastifyInstance, endpoint: Endpoint, request: FastifyRequest) {
  if (endpoint.session === 'none') return {}
  if (endpoint.session === 'challenge') {
    const challengeToken = app.guidonCookies.read(request, 'challenge')
    if (!challengeToken) throw refuse(noChallenge)
    return { challengeToken }
  }
  if (endpoint.session === 'phone') {
    const phoneToken = app.guidonCookies.read(request, 'phone')
    if (!phoneToken) throw refuse(handOffGone)
    return { phoneToken }
  }
  const access = app.guidonCookies.read(request, 'access')
  const countsAsUse = !endpoint.inBackground
  const live = access ? await app.findSession(access, { countsAsUse }) : undefined
  if (!live) throw refuse(noSession)
  request.actorId = live.user.id
  if (endpoint.roles && !endpoint.roles.includes(live.user.role)) throw refuse(wrongRole)
  return live
}

/** An invalid id is reported as not found. */
function paramsOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (!endpoint.params) return {}
  const parsed = endpoint.params.safeParse(request.params)
  if (!parsed.success) throw refuse(notFound)
  return parsed.data
}

function parse(schema: z.ZodMiniType | undefined, input: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw refuseInput(parsed.error.issues)
  return parsed.data
}
