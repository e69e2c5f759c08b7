import { noChallenge } from '@guidon/contract/auth'
import type { ResponseIn, BodyOut, Endpoint, Params, QueryOut } from '@guidon/contract/endpoint'
import { noSession, notFound, wrongRole } from '@guidon/contract/refusal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { LiveSession } from '../db/sessions.ts'
import type { Cookies } from './cookies.ts'
import { refuse, refuseInput } from './refuse.ts'
import { sendJson } from './send-json.ts'
import type { Streamed } from './send-json.ts'

declare module 'fastify' {
  interface FastifyInstance {
    guidonCookies: Cookies
    findSession: (accessToken: string) => Promise<LiveSession | undefined>
    /** Filled by `bind`: what the server really serves, to be held against the contract. */
    bound: Set<Endpoint>
  }
  interface FastifyRequest {
    /** Who is signed in, for the log of refused staff actions. */
    actorId: string | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** What a handler sees beside its input, by the session its endpoint asks for. */
type Holder<E extends Endpoint> = E['session'] extends 'required'
  ? LiveSession
  : E['session'] extends 'challenge'
    ? { challengeToken: string }
    : unknown

export type Context<E extends Endpoint> = Holder<E> & {
  body: BodyOut<E>
  params: Params<E>
  query: QueryOut<E>
  request: FastifyRequest
  reply: FastifyReply
}

type Answered<E extends Endpoint> = ResponseIn<E> | Streamed

export type Handler<E extends Endpoint> = (
  context: Context<E>,
) => Answered<E> | Promise<Answered<E>>

/** Serves an endpoint of the contract: who may call, what comes in and what goes out are read from it. */
export function bind<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void {
  app.bound.add(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    handler: async (request, reply) => {
      const holder = await holderOf(app, endpoint, request)
      const context = {
        ...holder,
        body: parse(endpoint.body, request.body),
        params: paramsOf(endpoint, request),
        query: parse(endpoint.query, request.query),
        request,
        reply,
      } as unknown as Context<E>
      // Before the handler, which may know better: what was there already is 200 where news is 201.
      reply.status(endpoint.status ?? (endpoint.response ? 200 : 204))
      const answer = await handler(context)
      if (typeof answer === 'function') return sendJson(request, reply, answer)
      // The schema also strips: only fields that the contract names leave the server.
      return reply.send(endpoint.response?.parse(answer))
    },
  })
}

async function holderOf(app: FastifyInstance, endpoint: Endpoint, request: FastifyRequest) {
  if (endpoint.session === 'none') return {}
  if (endpoint.session === 'challenge') {
    const challengeToken = app.guidonCookies.read(request, 'challenge')
    if (!challengeToken) throw refuse(noChallenge)
    return { challengeToken }
  }
  const access = app.guidonCookies.read(request, 'access')
  const live = access ? await app.findSession(access) : undefined
  if (!live) throw refuse(noSession)
  request.actorId = live.user.id
  if (endpoint.roles && !endpoint.roles.includes(live.user.role)) throw refuse(wrongRole)
  return live
}

/** An id that cannot be one is not there. */
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
