import { tooManyCodes, tooManyTries, tooManyTriesToday } from '@guidon/contract/auth'
import type { VerificationType } from '@guidon/contract/auth'
import {
  RESET_LINKS_FROM_ADDRESS,
  LIMIT_WINDOW_MINUTES,
  PASSWORD_CHANGES_A_DAY,
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
  reset,
  removeTry,
  secondsToWait,
  take,
  takeWithBackoff,
} from '../../db/limits.ts'
import type { Backoff, Window } from '../../db/limits.ts'
import { findCredentials } from '../../db/users.ts'
import type { Credentials } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { isKnownDevice } from './devices.sql.ts'
import { countSignIn, removeSignIn } from './sign-in-tries.sql.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUARTER_HOUR = LIMIT_WINDOW_MINUTES * MINUTE
/** Of the window `cleared`, which limits nothing. Never reached. */
const CLEARED_MAX = 1_000_000

export interface Client {
  /** The result of `addressKey`. */
  address: string
  /** The token of its device cookie, which may be forged. */
  device: string | undefined
}

/** A try that is counted before it is checked. */
interface Attempt {
  allowed: boolean
  /**
   * Removes the try from counters of a time window, and resets those with growing waits; in a transaction as its last
   * step, because it locks them.
   */
  succeeded(tx?: Tx): Promise<void>
  /** The error to throw if the try is not allowed, with the retry time. */
  refusal(): Promise<Error>
}

interface LimitedChallenge {
  userId: string | null
  signUpId: string | null
  email: string
  purpose: VerificationType
}

export interface Limits {
  /** Also reads the account of the email. */
  signIn(email: string, client: Client): Promise<Attempt & { account: Credentials | undefined }>
  code(challenge: LimitedChallenge, client: Client): Promise<Attempt>
  currentPassword(user: { id: string; email: string }): Promise<Attempt>
  /** Each method from here to `resend` throws a refusal with the retry time. */
  passwordChange(user: { id: string }): Promise<void>
  signUp(client: Client): Promise<void>
  forgot(email: string, client: Client): Promise<void>
  /** Limits emails that anyone can cause by typing an address. */
  mailTo(email: string, client: Client): Promise<void>
  signInCode(tx: Tx, account: { id: string; email: string }, client: Client): Promise<void>
  resend(tx: Tx, challenge: LimitedChallenge, client: Client): Promise<void>
  /** Clears all counters of an account, after a reset link, a password set by staff, or an unlock by the operator. */
  clear(tx: Tx, email: string): Promise<void>
}

/**
 * Enforces the limits of the contract in PostgreSQL, across all processes. A known device has its own
 * counters, so that nobody else can use up its tries; see docs/decisions/0018.
 */
export function limits(db: Queryable, tokens: Tokens, addressFactor: number): Limits {
  const keyOf = (...parts: string[]) => tokens.hash('limit', parts.join('\0'))
  const subjectOf = (email: string) => keyOf('subject', email)
  const backoffLimits = { free: SIGN_IN_TRIES, maxMinutes: SIGN_IN_WAIT_MINUTES_MAX }

  const knownDevice = async (queryable: Queryable, email: string, { device }: Client) =>
    device &&
    (await isKnownDevice(queryable, { email, tokenHashes: tokens.hashes('device', device) }))
      ? device
      : undefined

  /** Of an address or of mails to an email; operators raise them by `addressFactor`. */
  const perQuarterHour = (max: number, what: string, ...parts: string[]): Window => ({
    key: keyOf(what, ...parts),
    max: max * addressFactor,
    seconds: QUARTER_HOUR,
  })
  const daily = (email: string): Window => ({
    key: keyOf('sign-ins a day', email),
    subject: subjectOf(email),
    max: WRONG_SIGN_INS_A_DAY,
    seconds: DAY,
  })
  /**
   * Replaces `daily` for a day after the limits were cleared, so that nobody is refused for longer than 15 minutes,
   * whatever others try.
   */
  const afterClearing = (email: string): Window => ({
    key: keyOf('sign-ins after a reset', email),
    subject: subjectOf(email),
    max: WRONG_SIGN_INS_AFTER_RESET,
    seconds: QUARTER_HOUR,
  })
  /** Counts nothing that is limited: it runs for a day, to mark that the limits were cleared. */
  const cleared = (email: string): Window => ({
    key: keyOf('cleared', email),
    max: CLEARED_MAX,
    seconds: DAY,
  })

  const takeOrRefuse = async (
    queryable: Queryable,
    window: Window,
    refusal: typeof tooManyTries,
  ) => {
    if (await take(queryable, window)) return
    const retryAfterSeconds = await secondsToWait(queryable, [window])
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
    succeeded: (tx) => removeTry(tx ?? db, window),
    refusal: () => refusalOf([window]),
  })
  const withBackoff = async (backoff: Backoff): Promise<Attempt> => ({
    allowed: await takeWithBackoff(db, backoff),
    succeeded: (tx) => reset(tx ?? db, backoff),
    refusal: () => refusalOf([backoff]),
  })

  const mailTo = async (queryable: Queryable, email: string, client: Client) => {
    const device = await knownDevice(queryable, email, client)
    const subject = subjectOf(email)
    const windows = device
      ? [perQuarterHour(MAILS_TO_EMAIL_FROM_ADDRESS, 'mail for device', email, device)]
      : [
          perQuarterHour(MAILS_TO_EMAIL_FROM_ADDRESS, 'mail from', email, client.address),
          perQuarterHour(MAILS_TO_EMAIL, 'mail', email),
        ]
    for (const window of windows)
      await takeOrRefuse(queryable, { ...window, subject }, tooManyTries)
  }

  const signInCode: Limits['signInCode'] = async (tx, { id, email }, client) => {
    const device = (await knownDevice(tx, email, client)) ?? ''
    const window = perQuarterHour(SIGN_IN_CODES, 'sign-in codes', id, device)
    await takeOrRefuse(tx, { ...window, subject: subjectOf(email) }, tooManyCodes)
  }

  return {
    signIn: async (email, client) => {
      const device = await knownDevice(db, email, client)
      const subject = subjectOf(email)
      if (device) {
        const key = keyOf('sign-in on', email, device)
        const attempt = await withBackoff({ key, subject, ...backoffLimits })
        return { ...attempt, account: await findCredentials(db, email) }
      }
      const counters = {
        address: perQuarterHour(WRONG_SIGN_INS_FROM_ADDRESS, 'sign-ins from', client.address),
        pair: { key: keyOf('sign-in from', email, client.address), subject, ...backoffLimits },
        daily: daily(email),
        afterClearing: afterClearing(email),
        cleared: cleared(email),
      }
      const counted = await countSignIn(db, email, counters)
      const { address, pair } = counters
      const perAccount = counted.isCleared ? counters.afterClearing : counters.daily
      // A try that the account's limits refuse is not compared, so it does not count for the address.
      if (counted.byAddress && !counted.byAll) await removeTry(db, address)
      return {
        allowed: counted.byAll,
        account: counted.account,
        succeeded: (tx) => removeSignIn(tx ?? db, { address, pair, perAccount }),
        refusal: () =>
          refusalOf([address, pair, perAccount], (seconds) =>
            seconds > QUARTER_HOUR ? tooManyTriesToday(seconds) : tooManyTries(seconds),
          ),
      }
    },

    code: async ({ userId, email, purpose }, client) => {
      const subject = subjectOf(email)
      const day = { subject, max: WRONG_CODES_A_DAY, seconds: DAY }
      if (purpose === 'email' || !userId) {
        return inWindow({ key: keyOf('sign-up code', email, client.address), ...day })
      }
      const device = await knownDevice(db, email, client)
      if (!device) return inWindow({ key: keyOf('sign-in code', userId), ...day })
      const key = keyOf('sign-in code on', userId, device)
      return withBackoff({ key, subject, ...backoffLimits, free: WRONG_CODES_A_DAY })
    },

    currentPassword: ({ id, email }) =>
      withBackoff({
        key: keyOf('current password', id),
        subject: subjectOf(email),
        ...backoffLimits,
      }),

    passwordChange: ({ id }) =>
      takeOrRefuse(
        db,
        { key: keyOf('password changes', id), max: PASSWORD_CHANGES_A_DAY, seconds: DAY },
        tooManyTries,
      ),

    signUp: ({ address }) =>
      takeOrRefuse(
        db,
        perQuarterHour(SIGN_UPS_FROM_ADDRESS, 'sign-ups from', address),
        tooManyTries,
      ),

    forgot: async (email, client) => {
      if (!(await knownDevice(db, email, client))) {
        const window = perQuarterHour(RESET_LINKS_FROM_ADDRESS, 'forgots from', client.address)
        await takeOrRefuse(db, window, tooManyTries)
      }
      await mailTo(db, email, client)
    },

    mailTo: (email, client) => mailTo(db, email, client),
    signInCode,

    resend: async (tx, { userId, signUpId, email, purpose }, client) => {
      const device = await knownDevice(tx, email, client)
      if (!device) {
        const window = perQuarterHour(RESENDS_FROM_ADDRESS, 'resends from', client.address)
        await takeOrRefuse(tx, window, tooManyTries)
      }
      const hourly = {
        key: keyOf('resends', userId ?? signUpId ?? '', device ?? ''),
        subject: subjectOf(email),
        max: RESENDS_AN_HOUR,
        seconds: HOUR,
      }
      await takeOrRefuse(tx, hourly, tooManyCodes)
      if (purpose === 'login' && userId) await signInCode(tx, { id: userId, email }, client)
      else await mailTo(tx, email, client)
    },

    clear: async (tx, email) => {
      await clearSubject(tx, tokens.hashes('limit', ['subject', email].join('\0')))
      await take(tx, cleared(email))
    },
  }
}
