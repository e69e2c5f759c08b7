import {
  checkAuth,
  login,
  logout,
  refresh,
  resendVerificationCode,
  verifyLogin,
} from '@guidon/contract/auth'
import { changePassword, forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../../http/address-key.ts'
import { bind } from '../../http/bind.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import type { Challenges, PresentedChallenge } from './challenge.ts'
import type { Client } from './limits.ts'
import type { OpenedSession } from './open-session.ts'
import type { PasswordChange } from './password-change.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { SignUp } from './sign-up.ts'

export interface Auth {
  signUp: SignUp
  signIn: SignIn
  challenges: Pick<Challenges, 'resend'>
  passwordChange: PasswordChange
  sessions: Pick<Sessions, 'refresh' | 'end'>
}

export function authRoutes(app: FastifyInstance, auth: Auth): void {
  const cookies = app.guidonCookies
  const { signUp, signIn, challenges, passwordChange, sessions } = auth

  const setSessionCookies = (reply: FastifyReply, { tokens, device }: OpenedSession) => {
    cookies.clearChallenge(reply)
    cookies.setSession(reply, tokens)
    cookies.setDevice(reply, device)
  }

  const sessionOf = (request: FastifyRequest): Partial<SessionTokens> => {
    const access = cookies.read(request, 'access')
    const refreshToken = cookies.read(request, 'refresh')
    return { ...(access && { access }), ...(refreshToken && { refresh: refreshToken }) }
  }

  const clientOf = (request: FastifyRequest): Client => ({
    address: addressKey(request.ip),
    device: cookies.read(request, 'device'),
  })

  const presentedBy = (
    request: FastifyRequest,
    { email }: { email: string },
    token: string,
  ): PresentedChallenge => ({
    email,
    token,
    client: clientOf(request),
    session: sessionOf(request),
  })

  bind(app, register, async ({ body, request, reply }) => {
    cookies.setChallenge(reply, await signUp.start(body, clientOf(request)))
  })
  bind(app, verifyEmail, async ({ body, challengeToken, request, reply }) => {
    const presented = presentedBy(request, body, challengeToken)
    const opened = await signUp.verify(presented, body.code)
    setSessionCookies(reply, opened)
    return { salesforceInfo: { linkedToExistingAccount: opened.linked } }
  })
  bind(app, login, async ({ body, request, reply }) => {
    cookies.setChallenge(reply, await signIn.start(body.email, body.password, clientOf(request)))
  })
  bind(app, verifyLogin, async ({ body, challengeToken, request, reply }) => {
    const presented = presentedBy(request, body, challengeToken)
    const verified = await signIn.verify(presented, body.code)
    const user = { role: verified.role }
    if ('opened' in verified) {
      setSessionCookies(reply, verified.opened)
      return { user }
    }
    cookies.clearChallenge(reply)
    return { user, resetToken: verified.resetToken }
  })
  bind(app, resendVerificationCode, ({ body, challengeToken, request }) => {
    const presented = presentedBy(request, body, challengeToken)
    return challenges.resend(presented, body.verificationType)
  })
  bind(app, forgotPassword, ({ body, request }) =>
    passwordChange.forgot(body.email, clientOf(request)),
  )
  bind(app, resetPassword, async ({ body, request, reply }) => {
    const presentedDevice = cookies.read(request, 'device')
    const device = await passwordChange.reset(body.token, body.newPassword, presentedDevice)
    cookies.setDevice(reply, device)
  })
  bind(app, changePassword, ({ user, sessionId, body }) =>
    passwordChange.change({ user, sessionId }, body.currentPassword, body.newPassword),
  )
  bind(app, refresh, async ({ request, reply }) => {
    cookies.setSession(reply, await sessions.refresh(cookies.read(request, 'refresh')))
  })
  bind(app, logout, async ({ request, reply }) => {
    await sessions.end(sessionOf(request))
    cookies.clearSession(reply)
    cookies.clearChallenge(reply)
  })
  bind(app, checkAuth, ({ user }) => ({ user }))
}
