import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { REQUEST_BODY_SECONDS, UPLOAD_MINUTES_MAX } from '@guidon/contract/limits'
import { notFound, UNAVAILABLE, wrongOrigin } from '@guidon/contract/refusal'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { isUnavailable } from '../db/unavailable.ts'
import type { Log } from '../platform/log.ts'
import type { Readiness } from '../platform/readiness.ts'
import { withSource } from '../platform/request-source.ts'
import type { Source } from '../platform/request-source.ts'
import { version } from '../platform/version.ts'
import type { FindSession } from './bind.ts'
import { onClientError } from './client-errors.ts'
import { cookies } from './cookies.ts'
import { endConnectionsOnClose } from './end-connections.ts'
import { refuse, RefusalError } from './refuse.ts'
import { refusedStaffAction } from './refused-action.ts'
import type { RefusedAction } from './refused-action.ts'
import { boundRequests } from './request-bounds.ts'
import { securityHeaders } from './security-headers.ts'

const JSON_BODY_LIMIT = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const CHECK_CONNECTIONS_MS = 5_000
/** Longer than the limits for bodies and uploads, which respond with a message. */
const REQUEST_TIMEOUT_MS = (UPLOAD_MINUTES_MAX + 1) * 60_000
const METHODS = [...new Set(Object.values(endpoints).map(({ method }) => method))]
/** Headers of responses that a browser may read on another origin. */
const UPLOAD_HEADERS = ['tus-resumable', 'upload-offset', 'upload-length', 'upload-expires']
/** A planned switchover to another database primary takes about this long. */
const UNAVAILABLE_RETRY_SECONDS = 5
const PROBES = new Set(['/healthz', '/readyz'])
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What metrics and traces may contain about a request. */
export interface RequestRecord {
  id: string
  method: string
  /** The pattern, never the URL. */
  route: string
  status: number
  ms: number
  traceparent: string | undefined
}

export interface HttpParts {
  log: Log
  publicUrl: string
  allowedOrigins: string[]
  trustProxy: string[]
  findSession: FindSession
  readiness: Readiness
  /** The part of an IP address that may be stored. */
  sourceOf: (ip: string) => Source
  /** Called before the refusal is sent. */
  staffActionRefused: (refused: RefusedAction) => Promise<void>
  /** Called after each request except health checks. */
  onResponse?: (request: RequestRecord) => void
  /** How long a body may take to arrive. */
  bodyTimeoutMs?: number
}

export async function createApp(parts: HttpParts): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = parts.log
  const https = parts.publicUrl.startsWith('https:')
  const security = securityHeaders(https)
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: parts.trustProxy,
    bodyLimit: JSON_BODY_LIMIT,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The contract validates parameters, and Node limits the size of all headers.
    routerOptions: { maxParamLength: maxHeaderSize },
    http: { connectionsCheckingInterval: CHECK_CONNECTIONS_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    clientErrorHandler: onClientError(security),
    // For a URL that cannot be decoded no hook runs.
    frameworkErrors: (error, _request, { raw }) => {
      const type = { 'content-type': 'application/json; charset=utf-8' }
      raw.writeHead(error.statusCode ?? 400, { ...security, ...type })
      raw.end(JSON.stringify({ code: 'bad_request' }))
    },
  })
  boundRequests(app, parts.bodyTimeoutMs ?? REQUEST_BODY_SECONDS * 1000)
  const origins = new Set([parts.publicUrl, ...parts.allowedOrigins])

  // Forms of other sites can post text without a preflight, and no endpoint needs it.
  app.removeContentTypeParser('text/plain')
  app.decorate('guidonCookies', cookies(parts.publicUrl))
  app.decorate('findSession', parts.findSession)
  app.decorate('bound', new Set<Endpoint>())
  app.decorateRequest('actorId', null)

  await app.register(cookie)
  await app.register(multipart)
  // Hooks with a callback, because each promise costs time. The first one is before CORS, which responds to preflights.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(security).header('x-request-id', request.id)
    done()
  })
  await app.register(cors, {
    origin: [...origins],
    credentials: true,
    methods: METHODS,
    exposedHeaders: ['retry-after', 'location', ...UPLOAD_HEADERS],
    maxAge: 600,
  })

  app.addHook('onRequest', (request, _reply, done) => {
    // Multipart posts need no preflight, so SameSite cookies would be the only protection.
    const { endpoint } = request.routeOptions.config
    const isExempt = SAFE_METHODS.has(request.method) || endpoint?.withoutOrigin
    const isRefused = !isExempt && !origins.has(request.headers.origin ?? '')
    done(isRefused ? refuse(wrongOrigin) : undefined)
  })
  // After the body was read, because events of the body lose the async context.
  app.addHook('preHandler', (request, _reply, done) => {
    // Read now, because the address of a client that has disconnected is unknown.
    const { ip } = request
    withSource(() => parts.sourceOf(ip), done)
  })
  app.addHook('preClose', async () => parts.readiness.drain())
  endConnectionsOnClose(app)
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A kept-alive connection would delay the shutdown.
    if (parts.readiness.isDraining()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const { url: route = 'none' } = request.routeOptions
    const { statusCode: status, elapsedTime: ms } = reply
    const probe = PROBES.has(route)
    parts.log[probe ? 'debug' : 'info'](
      { requestId: id, method, route, status, ms: Math.round(ms) },
      'http: request',
    )
    const traceparent = request.headers['traceparent']?.toString()
    if (!probe) parts.onResponse?.({ id, method, route, status, ms, traceparent })
    done()
  })

  app.setErrorHandler<FastifyError>(async (thrown, request, reply) => {
    const error = await withRefusalLogged(parts, request, thrown)
    if (error instanceof RefusalError) {
      const { retryAfterSeconds } = error.details
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
      return reply.status(error.refusal.status).send(error.body)
    }
    const status = error.statusCode ?? 500
    // Without a message, the screen shows the endpoint's `failure` text.
    if (status < 500) return reply.status(status).send({ code: 'bad_request' })
    const failure = { requestId: request.id, route: request.routeOptions.url, err: error }
    if (isUnavailable(error)) {
      parts.log.warn(failure, 'http: database unavailable')
      reply.header('retry-after', UNAVAILABLE_RETRY_SECONDS)
      return reply.status(UNAVAILABLE.status).send({ code: UNAVAILABLE.code })
    }
    parts.log.error(failure, 'http: request failed')
    return reply.status(500).send({ code: 'unexpected' })
  })
  app.setNotFoundHandler(() => {
    throw refuse(notFound)
  })

  app.get('/healthz', async () => ({ status: 'alive', version }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await parts.readiness.ready()
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
  return app
}

/** Returns the error to respond with: a refusal that cannot be logged becomes a failure. */
async function withRefusalLogged(
  { staffActionRefused }: Pick<HttpParts, 'staffActionRefused'>,
  request: FastifyRequest,
  error: FastifyError,
): Promise<FastifyError> {
  const refused = refusedStaffAction(request, error)
  try {
    if (refused) await staffActionRefused(refused)
    return error
  } catch (failure) {
    return failure as FastifyError
  }
}
