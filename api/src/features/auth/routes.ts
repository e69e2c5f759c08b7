import {
  checkAuth,
  login,
  logout,
  refresh,
  resendVerificationCode,
  verifyLogin,
} from '@guidon/contract/auth'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'

export interface Auth {
  signIn: SignIn
  sessions: Pick<Sessions, 'refresh' | 'end'>
}

export function authRoutes(app: FastifyInstance, { signIn, sessions }: Auth): void {
  const cookies = app.guidonCookies

  bind(app, login, async ({ body, reply }) => {
    cookies.setChallenge(reply, await signIn.start(body.email, body.password))
  })
  bind(app, verifyLogin, async ({ body, challengeToken, reply }) => {
    const { tokens, role } = await signIn.verify(
      { email: body.email, token: challengeToken },
      body.code,
    )
    cookies.clearChallenge(reply)
    cookies.setSession(reply, tokens)
    return { user: { role } }
  })
  bind(app, resendVerificationCode, ({ body, challengeToken }) =>
    signIn.resend({ email: body.email, token: challengeToken }, body.verificationType),
  )
  bind(app, refresh, async ({ request, reply }) => {
    cookies.setSession(reply, await sessions.refresh(cookies.read(request, 'refresh')))
  })
  bind(app, logout, async ({ request, reply }) => {
    const access = cookies.read(request, 'access')
    const refreshToken = cookies.read(request, 'refresh')
    await sessions.end({
      ...(access && { access }),
      ...(refreshToken && { refresh: refreshToken }),
    })
    cookies.clearSession(reply)
    cookies.clearChallenge(reply)
  })
  bind(app, checkAuth, ({ user }) => ({ user }))
}
