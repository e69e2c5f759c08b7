import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import { CrmUnavailable } from '../port.ts'
import { unreadable } from './errors.ts'

/** The pause doubles from the first to the longest, and starts again after a quiet time. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
const QUIET_MS = 60_000
const ASSERTION_SECONDS = 180
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export type Auth =
  | { kind: 'client-credentials'; clientSecret: string }
  | {
      kind: 'jwt'
      username: string
      /** PEM. */
      privateKey: string
      /** The login URL if absent. */
      audience?: string
    }

export interface Session {
  accessToken: string
  instanceUrl: string
}

export interface SessionOptions {
  loginUrl: string
  clientId: string
  auth: Auth
  timeoutMs: number
  dispatcher: Dispatcher
  /** A monotonic clock in milliseconds. */
  now(): number
}

export interface Sessions {
  current(): Promise<Session>
  /** Call after this session was refused. */
  renew(refused: Session): Promise<Session>
}

/**
 * One session shared by all calls. After a refused request for a token, or a renewed session, no other token is
 * requested for 2 seconds, then 4, up to half a minute, so that an org that refuses permanently is not flooded with
 * requests.
 */
export function sessions(options: SessionOptions): Sessions {
  let session: Session | undefined
  let pending: Promise<Session> | undefined
  let pausedUntil = -Infinity
  let pauseMs = 0
  let refusal = new CrmUnavailable('INVALID_SESSION_ID')

  function pause(): void {
    const now = options.now()
    const isFirst = now - pausedUntil > QUIET_MS
    pauseMs = isFirst ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    pausedUntil = now + pauseMs
  }

  async function openSession(renewing: boolean): Promise<Session> {
    try {
      session = await requestToken(options)
      refusal = new CrmUnavailable('INVALID_SESSION_ID')
      if (renewing) pause()
      return session
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      pause()
      refusal = new CrmUnavailable(error.code)
      throw refusal
    } finally {
      pending = undefined
    }
  }

  function newSession(renewing: boolean): Promise<Session> {
    if (pending === undefined && options.now() < pausedUntil) return Promise.reject(refusal)
    return (pending ??= openSession(renewing))
  }

  return {
    current: async () => session ?? newSession(false),
    renew: async (refused) =>
      session === undefined || session.accessToken === refused.accessToken
        ? newSession(true)
        : session,
  }
}

class TokenRefused extends CrmUnavailable {}

async function requestToken(options: SessionOptions): Promise<Session> {
  const url = new URL('/services/oauth2/token', options.loginUrl)
  const form = new URLSearchParams(await grant(options))
  let status: number
  let body: unknown
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      signal: AbortSignal.timeout(options.timeoutMs),
      dispatcher: options.dispatcher,
    })
    status = response.statusCode
    body = await response.body.json().catch(() => undefined)
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    throw new CrmUnavailable(isTimeout ? 'TIMEOUT' : 'NETWORK')
  }
  const { access_token, instance_url, error } = (body ?? {}) as Record<string, unknown>
  if (status === 429 || status >= 500) throw new CrmUnavailable(`HTTP_${status}`)
  if (status >= 400) {
    throw new TokenRefused(typeof error === 'string' && /^\w+$/.test(error) ? error : 'TOKEN')
  }
  if (typeof access_token !== 'string' || typeof instance_url !== 'string') throw unreadable()
  return { accessToken: access_token, instanceUrl: instance_url }
}

async function grant({ loginUrl, clientId, auth }: SessionOptions) {
  if (auth.kind === 'client-credentials') {
    return {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: auth.clientSecret,
    }
  }
  const claims = new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(clientId)
    .setSubject(auth.username)
    .setAudience(auth.audience ?? new URL(loginUrl).origin)
    .setExpirationTime(`${ASSERTION_SECONDS}s`)
  try {
    const assertion = await claims.sign(createPrivateKey(auth.privateKey))
    return { grant_type: JWT_BEARER, assertion }
  } catch {
    throw new TokenRefused('UNUSABLE_KEY')
  }
}
