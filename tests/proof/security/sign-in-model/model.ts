import type { VerificationType } from '@guidon/contract/auth'
import {
  ACCESS_TOKEN_MINUTES,
  CHALLENGE_MINUTES,
  CODE_MINUTES,
  CODE_TRIES,
  IDLE_MINUTES,
  RESET_TOKEN_MINUTES,
  SESSION_HOURS,
} from '@guidon/contract/limits'
import { REPEAT_SECONDS } from '../../../../api/src/platform/repeat.ts'

/** What must be true of one account and its two browsers. All times are minutes of the model's clock. */

interface Code {
  digits: string
  at: number
  tries: number
  /** Its email was never read. */
  lost: boolean
}

export interface Challenge {
  purpose: VerificationType
  token: string
  /** Of the account that a sign-up creates. */
  password: string
  openedAt: number
  expiresAt: number
  /** None for a sign-up with a taken email. */
  code: Code | undefined
  /** When a code was last requested. */
  requestedAt: number
  supersededCodes: string[]
  state: 'open' | 'solved' | 'ended'
  /** The session that its code has opened. */
  opened?: { session: Session; at: number; code: string }
}

/** Why a session has ended, as the sentence that must then be true. */
export type End =
  | 'after log out the next request is refused'
  | 'after a reset every earlier session is refused'
  | 'after a change of the password every other session is refused'
  | 'a deactivated account has no session, and gets none back when it is reactivated'
  | 'a retired refresh token ends its session'
  | 'a sign-in ends the session that its browser had'

export interface Session {
  first: Tokens
  tokens: Tokens
  /** When the current access token was issued. */
  issuedAt: number
  /** The refresh token before the current one. It still works, in case the response with the current one was lost. */
  previousRefresh: string | undefined
  /** The refresh token before `previousRefresh`. Its use ends the session. */
  retiredRefresh: string | undefined
  openedAt: number
  seenAt: number
  ended: End | undefined
}

export interface Tokens {
  access: string
  refresh: string
}

interface Browser {
  device: string | undefined
  challenge: Challenge | undefined
  session: Session | undefined
}

interface ResetLink {
  token: string
  at: number
  isVoid: boolean
}

export interface Model {
  email: string
  clock: number
  /** When the portal's times were last moved, in milliseconds of the real clock. */
  movedAt: number
  account: 'none' | 'active' | 'deactivated'
  password: string
  passwordCount: number
  browsers: [Browser, Browser]
  /** Every challenge, session and link that ever existed. */
  challenges: Challenge[]
  sessions: Session[]
  links: ResetLink[]
}

const newBrowser = (): Browser => ({ device: undefined, challenge: undefined, session: undefined })

export const newModel = (email: string, password: string, exists: boolean): Model => ({
  email,
  clock: 0,
  movedAt: Date.now(),
  account: exists ? 'active' : 'none',
  password,
  passwordCount: 0,
  browsers: [newBrowser(), newBrowser()],
  challenges: [],
  sessions: [],
  links: [],
})

export const nextPassword = (model: Model): string => {
  model.passwordCount += 1
  return `Meadow-Compass-${1_000 + model.passwordCount}!`
}

export const isLive = (model: Model, session: Session): boolean =>
  session.ended === undefined &&
  model.account === 'active' &&
  model.clock - session.openedAt < SESSION_HOURS.USER * 60 &&
  model.clock - session.seenAt < IDLE_MINUTES.USER

export const isAccepted = (model: Model, session: Session): boolean =>
  isLive(model, session) && model.clock - session.issuedAt < ACCESS_TOKEN_MINUTES

export const isOpen = (model: Model, challenge: Challenge): boolean =>
  challenge.state === 'open' &&
  model.clock < challenge.expiresAt &&
  (challenge.purpose === 'email' || model.account === 'active')

/** Whether the portal would compare an entered code with the current one. */
export const comparesCodes = (model: Model, challenge: Challenge): boolean =>
  isOpen(model, challenge) &&
  challenge.code !== undefined &&
  model.clock - challenge.code.at < CODE_MINUTES &&
  challenge.code.tries < CODE_TRIES

export const opensSession = (model: Model, challenge: Challenge): boolean =>
  comparesCodes(model, challenge) && (challenge.purpose === 'login' || model.account === 'none')

/** Whether the same code entered again returns the session that it opened. */
export const repeatsSession = (model: Model, { opened }: Challenge): boolean =>
  opened !== undefined &&
  (model.clock - opened.at) * 60 < REPEAT_SECONDS &&
  isLive(model, opened.session)

export const isUsable = (model: Model, link: ResetLink): boolean =>
  !link.isVoid && model.clock - link.at < RESET_TOKEN_MINUTES && model.account === 'active'

export function addChallenge(
  model: Model,
  challenge: Pick<Challenge, 'purpose' | 'token' | 'password'>,
  digits: string | undefined,
): Challenge {
  const added: Challenge = {
    ...challenge,
    openedAt: model.clock,
    expiresAt: model.clock + CHALLENGE_MINUTES,
    requestedAt: model.clock,
    code: undefined,
    supersededCodes: [],
    state: 'open',
  }
  model.challenges.push(added)
  setCode(model, added, digits)
  return added
}

export function setCode(model: Model, challenge: Challenge, digits: string | undefined): void {
  if (challenge.code) challenge.supersededCodes.push(challenge.code.digits)
  challenge.requestedAt = model.clock
  challenge.code = digits ? { digits, at: model.clock, tries: 0, lost: false } : undefined
  // A code that was sent late is valid for its whole time, up to a limit.
  const latest = challenge.openedAt + CHALLENGE_MINUTES + CODE_MINUTES
  const extended = Math.min(model.clock + CODE_MINUTES, latest)
  challenge.expiresAt = Math.max(challenge.expiresAt, extended)
}

export function addSession(model: Model, challenge: Challenge, tokens: Tokens): Session {
  const session: Session = {
    first: tokens,
    tokens,
    issuedAt: model.clock,
    previousRefresh: undefined,
    retiredRefresh: undefined,
    openedAt: model.clock,
    seenAt: model.clock,
    ended: undefined,
  }
  model.sessions.push(session)
  challenge.state = 'solved'
  challenge.opened = { session, at: model.clock, code: challenge.code!.digits }
  return session
}

/** Ends sessions, sign-ins that wait for a code, and links. Sign-ups are not part of the account. */
export function endSignIns(model: Model, reason: End, except?: Session): void {
  for (const session of model.sessions) if (session !== except) session.ended ??= reason
  for (const challenge of model.challenges) {
    if (challenge.purpose === 'login' && challenge.state === 'open') challenge.state = 'ended'
  }
  for (const link of model.links) link.isVoid = true
}
