import { refresh } from '@guidon/contract/auth'
import { HAND_OFF_MINUTES_MAX, sendFromPhone } from '@guidon/contract/hand-off'
import {
  CHALLENGE_MINUTES,
  CODE_MINUTES,
  DEVICE_DAYS,
  SESSION_HOURS,
} from '@guidon/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'

type CookieName = 'access' | 'refresh' | 'challenge' | 'device' | 'phone'

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
}

const DEVICE_SECONDS = DEVICE_DAYS * 24 * 3600
const MAX_SESSION_SECONDS = Math.max(...Object.values(SESSION_HOURS)) * 3600

/**
 * Over https the names have the prefixes that bind a cookie to this host. Browsers accept the prefixes
 * only over https, so http://localhost uses the plain names.
 */
export function cookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:')
  const jar = {
    access: {
      name: `${secure ? '__Host-' : ''}guidon-access`,
      path: '/',
      maxAge: MAX_SESSION_SECONDS,
    },
    refresh: {
      name: `${secure ? '__Secure-' : ''}guidon-refresh`,
      path: '/auth',
      maxAge: MAX_SESSION_SECONDS,
    },
    challenge: {
      name: `${secure ? '__Host-' : ''}guidon-challenge`,
      path: '/',
      // A code that is sent in the challenge's last minute stays valid for its whole time.
      maxAge: (CHALLENGE_MINUTES + CODE_MINUTES) * 60,
    },
    device: { name: `${secure ? '__Host-' : ''}guidon-device`, path: '/', maxAge: DEVICE_SECONDS },
    phone: {
      name: `${secure ? '__Secure-' : ''}guidon-phone`,
      path: '/hand-offs',
      maxAge: HAND_OFF_MINUTES_MAX * 60,
    },
  } satisfies Record<CookieName, { name: string; path: string; maxAge: number }>
  if (!refresh.path.startsWith(jar.refresh.path) || !sendFromPhone.path.startsWith(jar.phone.path))
    throw new Error('a cookie must reach its route')

  const set = (reply: FastifyReply, name: CookieName, value: string) => {
    const { path, maxAge } = jar[name]
    reply.setCookie(jar[name].name, value, {
      path,
      maxAge,
      secure,
      httpOnly: true,
      sameSite: 'strict',
    })
  }
  const clear = (reply: FastifyReply, name: CookieName) =>
    reply.clearCookie(jar[name].name, {
      path: jar[name].path,
      secure,
      httpOnly: true,
      sameSite: 'strict',
    })

  return {
    read: (request, name) => request.cookies[jar[name].name],
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
    clearChallenge: (reply) => void clear(reply, 'challenge'),
  }
}
