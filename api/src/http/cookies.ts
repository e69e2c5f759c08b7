import { HAND_OFF_MINUTES_MAX } from '@guidon/contract/hand-off'
import {
  CHALLENGE_MINUTES,
  CODE_MINUTES,
  DEVICE_DAYS,
  SESSION_HOURS,
} from '@guidon/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAX_LAG_SECONDS } from '../db/reader.ts'

type CookieName = 'access' | 'refresh' | 'challenge' | 'device' | 'phone' | 'wrote'

export interface SessionTokens {
  access: string
  refresh: string
}

export interface Cookies {
  read(request: FastifyRequest, name: CookieName): string | undefined
  setSession(reply: FastifyReply, tokens: SessionTokens): void
  clearSession(reply: FastifyReply): void
  setChallenge(reply: FastifyReply, token: string): void
  clearChallenge(reply: FastifyReply): void
  setDevice(reply: FastifyReply, token: string): void
  setPhone(reply: FastifyReply, token: string): void
  /** Marks that this browser has changed something in a listing, so that listings are read from the primary. */
  setWrote(reply: FastifyReply): void
}

const DEVICE_SECONDS = DEVICE_DAYS * 24 * 3600
const MAX_SESSION_SECONDS = Math.max(...Object.values(SESSION_HOURS)) * 3600

const MAX_AGE: Record<CookieName, number> = {
  access: MAX_SESSION_SECONDS,
  refresh: MAX_SESSION_SECONDS,
  // A code that is sent in the challenge's last minute stays valid for its whole time.
  challenge: (CHALLENGE_MINUTES + CODE_MINUTES) * 60,
  device: DEVICE_SECONDS,
  phone: HAND_OFF_MINUTES_MAX * 60,
  // Longer than a replica may be behind.
  wrote: MAX_LAG_SECONDS + 5,
}

/**
 * Over https the names have the prefix that binds a cookie to this host; see docs/decisions/0058. Browsers accept it
 * only over https, so http://localhost uses the plain names.
 */
export function cookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:')
  const nameOf = (name: CookieName) => `${secure ? '__Host-' : ''}guidon-${name}`
  const attributes = { path: '/', secure, httpOnly: true, sameSite: 'strict' } as const

  const set = (reply: FastifyReply, name: CookieName, value: string) =>
    void reply.setCookie(nameOf(name), value, { ...attributes, maxAge: MAX_AGE[name] })
  const clear = (reply: FastifyReply, name: CookieName) =>
    void reply.clearCookie(nameOf(name), attributes)

  return {
    read: (request, name) => request.cookies[nameOf(name)],
    setSession: (reply, tokens) => {
      set(reply, 'access', tokens.access)
      set(reply, 'refresh', tokens.refresh)
    },
    clearSession: (reply) => {
      clear(reply, 'access')
      clear(reply, 'refresh')
    },
    setChallenge: (reply, token) => set(reply, 'challenge', token),
    setDevice: (reply, token) => set(reply, 'device', token),
    setPhone: (reply, token) => set(reply, 'phone', token),
    setWrote: (reply) => set(reply, 'wrote', '1'),
    clearChallenge: (reply) => clear(reply, 'challenge'),
  }
}
