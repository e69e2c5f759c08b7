import { tooManyCodes, tooManyTries, tooManyTriesToday } from '@guidon/contract/auth'
import type { VerificationType } from '@guidon/contract/auth'
import {
  RESET_LINKS_FROM_ADDRESS,
  LIMIT_WINDOW_MINUTES,
  MAILS_TO_EMAIL,
  MAILS_TO_EMAIL_FROM_ADDRESS,
  RESENDS_AN_HOUR,
  RESENDS_FROM_ADDRESS,
  SIGN_IN_CODES,
  SIGN_IN_TRIES,
  SIGN_IN_WAIT_MINUTES_MAX,
  SIGN_UPS_FROM_ADDRESS,
  WRONG_CODES_A_DAY,
  WRONG_SIGN_INS_A_DAY,
  WRONG_SIGN_INS_AFTER_RESET,
  WRONG_SIGN_INS_FROM_ADDRESS,
} from '@guidon/contract/limits'
import type { Refusal } from '@guidon/contract/refusal'
import type { Queryable, Tx } from '../../db/database.ts'
import {
  clearSubject,
  forget,
  giveBack,
  giveBackBoth,
  isOpen,
  secondsToWait,
  take,
  takeBoth,
  takeWithBackoff,
} from '../../db/limits.ts'
import type { Backoff, Window } from '../../db/limits.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { isKnownDevice } from './devices.sql.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUARTER = LIMIT_WINDOW_MINUTES * MINUTE
const CLEARED_MOST = 1_000_000

/** Where a request comes from. */
export interface From {
  /** As `addressKey` has it. */
  address: string
  /** The token of its device cookie, which may be forged. */
  device: string | undefined
}

/** A try that was counted before it was looked at. */
export interface Attempt {
  allowed: boolean
  /** Takes back what was counted. */
  wasRight(): Promise<void>
  /** What to answer where it is not allowed, with the time to come back. */
  refusal(): Promise<Error>
}

interface ChallengeOf {
  userId: string | null
  signUpId: string | null
  email: string
  purpose: VerificationType
}

export interface Limits {
  signIn(email: string, from: From): Promise<Attempt>
  code(challenge: ChallengeOf, from: From): Promise<Attempt>
  currentPassword(user: { id: string; email: string }): Promise<Attempt>
  /** These throw a refusal that says when to come back. */
  signUp(from: From): Promise<void>
  forgot(email: string, from: From): Promise<void>
  /** Mail that anyone can cause to be sent to an address by typing it. */
  mailTo(email: string, from: From): Promise<void>
  signInCode(tx: Tx, account: { id: string; email: string }, from: From): Promise<void>
  resend(tx: Tx, challenge: ChallengeOf, from: From): Promise<void>
  /** Whoever proved to own the account, or staff for them, starts anew. */
  clear(tx: Tx, email: string): Promise<void>
}

/**
 * The numbers of the contract, counted in PostgreSQL, so that they hold over all processes. A known device has
 * counters of its own, so that nobody else can use up its tries; see docs/decisions/0018.
 */
export function limits(db: Queryable, tokens: Tokens, addressFactor: number): Limits {
  const keyOf = (...parts: string[]) => tokens.hash('limit', parts.join('\0'))
  const subjectOf = (email: string) => keyOf('subject', email)
  const patience = { free: SIGN_IN_TRIES, mostMinutes: SIGN_IN_WAIT_MINUTES_MAX }

  const knownDevice = async (on: Queryable, email: string, { device }: From) =>
    device && (await isKnownDevice(on, { email, tokenHashes: tokens.hashes('device', device) }))
      ? device
      : undefined

  const perQuarterHour = (most: number, what: string, ...parts: string[]): Window => ({
    key: keyOf(what, ...parts),
    most: most * addressFactor,
    seconds: QUARTER,
  })
  const daily = (email: string): Window => ({
    key: keyOf('sign-ins a day', email),
    subject: subjectOf(email),
    most: WRONG_SIGN_INS_A_DAY,
    seconds: DAY,
  })
  /** After a reset nobody is refused for longer than a quarter of an hour, whatever strangers try. */
  const afterReset = (email: string): Window => ({
    key: keyOf('sign-ins after a reset', email),
    subject: subjectOf(email),
    most: WRONG_SIGN_INS_AFTER_RESET,
    seconds: QUARTER,
  })
  /** Counts how often the limits of an account were cleared: a day with one has the other window. */
  const cleared = (email: string): Window => ({
    key: keyOf('cleared', email),
    most: CLEARED_MOST,
    seconds: DAY,
  })

  const spend = async (on: Queryable, window: Window, refusal: typeof tooManyTries) => {
    if (await take(on, window)) return
    const retryAfterSeconds = await secondsToWait(on, [window])
    throw refuse(refusal(retryAfterSeconds), { retryAfterSeconds })
  }

  const refusalOf = async (
    counters: readonly (Window | Backoff)[],
    refusal: (seconds: number) => Refusal = tooManyTries,
  ) => {
    const retryAfterSeconds = await secondsToWait(db, counters)
    return refuse(refusal(retryAfterSeconds), { retryAfterSeconds })
  }
  const inWindow = async (window: Window): Promise<Attempt> => ({
    allowed: await take(db, window),
    wasRight: () => giveBack(db, window),
    refusal: () => refusalOf([window]),
  })
  const withBackoff = async (backoff: Backoff): Promise<Attempt> => ({
    allowed: await takeWithBackoff(db, backoff),
    wasRight: () => forget(db, backoff),
    refusal: () => refusalOf([backoff]),
  })

  /** What is turned away for the account was not compared, and costs the address nothing. */
  const takeAfter = async (address: Window, pair: Backoff, day: Window) => {
    if (await takeBoth(db, pair, day)) return true
    await giveBack(db, address)
    return false
  }

  const mailTo = async (on: Queryable, email: string, from: From) => {
    const device = await knownDevice(on, email, from)
    const subject = subjectOf(email)
    const windows = device
      ? [perQuarterHour(MAILS_TO_EMAIL_FROM_ADDRESS, 'mail for device', email, device)]
      : [
          perQuarterHour(MAILS_TO_EMAIL_FROM_ADDRESS, 'mail from', email, from.address),
          perQuarterHour(MAILS_TO_EMAIL, 'mail', email),
        ]
    for (const window of windows) await spend(on, { ...window, subject }, tooManyTries)
  }

  const signInCode: Limits['signInCode'] = async (tx, { id, email }, from) => {
    const device = (await knownDevice(tx, email, from)) ?? ''
    const window = perQuarterHour(SIGN_IN_CODES, 'sign-in codes', id, device)
    await spend(tx, { ...window, subject: subjectOf(email) }, tooManyCodes)
  }

  return {
    signIn: async (email, from) => {
      const device = await knownDevice(db, email, from)
      const subject = subjectOf(email)
      if (device) {
        return withBackoff({ key: keyOf('sign-in on', email, device), subject, ...patience })
      }
      const address = perQuarterHour(WRONG_SIGN_INS_FROM_ADDRESS, 'sign-ins from', from.address)
      const pair = { key: keyOf('sign-in from', email, from.address), subject, ...patience }
      const day = (await isOpen(db, cleared(email))) ? afterReset(email) : daily(email)
      return {
        allowed: (await take(db, address)) && (await takeAfter(address, pair, day)),
        wasRight: async () => {
          await giveBackBoth(db, pair, day)
          await giveBack(db, address)
        },
        refusal: () =>
          refusalOf([address, pair, day], (seconds) =>
            seconds > QUARTER ? tooManyTriesToday(seconds) : tooManyTries(seconds),
          ),
      }
    },

    code: async ({ userId, email, purpose }, from) => {
      const subject = subjectOf(email)
      const day = { subject, most: WRONG_CODES_A_DAY, seconds: DAY }
      if (purpose === 'email' || !userId) {
        return inWindow({ key: keyOf('sign-up code', email, from.address), ...day })
      }
      const device = await knownDevice(db, email, from)
      if (!device) return inWindow({ key: keyOf('sign-in code', userId), ...day })
      const key = keyOf('sign-in code on', userId, device)
      return withBackoff({ key, subject, ...patience, free: WRONG_CODES_A_DAY })
    },

    currentPassword: ({ id, email }) =>
      withBackoff({ key: keyOf('current password', id), subject: subjectOf(email), ...patience }),

    signUp: ({ address }) =>
      spend(db, perQuarterHour(SIGN_UPS_FROM_ADDRESS, 'sign-ups from', address), tooManyTries),

    forgot: async (email, from) => {
      if (!(await knownDevice(db, email, from))) {
        const window = perQuarterHour(RESET_LINKS_FROM_ADDRESS, 'forgots from', from.address)
        await spend(db, window, tooManyTries)
      }
      await mailTo(db, email, from)
    },

    mailTo: (email, from) => mailTo(db, email, from),
    signInCode,

    resend: async (tx, { userId, signUpId, email, purpose }, from) => {
      const device = await knownDevice(tx, email, from)
      if (!device) {
        const window = perQuarterHour(RESENDS_FROM_ADDRESS, 'resends from', from.address)
        await spend(tx, window, tooManyTries)
      }
      const hourly = {
        key: keyOf('resends', userId ?? signUpId ?? '', device ?? ''),
        subject: subjectOf(email),
        most: RESENDS_AN_HOUR,
        seconds: HOUR,
      }
      await spend(tx, hourly, tooManyCodes)
      if (purpose === 'login' && userId) await signInCode(tx, { id: userId, email }, from)
      else await mailTo(tx, email, from)
    },

    clear: async (tx, email) => {
      await clearSubject(tx, tokens.hashes('limit', ['subject', email].join('\0')))
      await take(tx, cleared(email))
    },
  }
}
