import { resendTooSoon, tooManyTries } from '@guidon/contract/auth'
import {
  RESENDS_AN_HOUR,
  SIGN_IN_TRIES,
  SIGN_IN_WAIT_MINUTES_MAX,
  WRONG_CODES_A_DAY,
  WRONG_SIGN_INS_A_DAY,
} from '@guidon/contract/limits'
import type { Queryable } from '../../db/database.ts'
import {
  forget,
  giveBack,
  giveBackBoth,
  secondsToWait,
  take,
  takeBoth,
  takeWithBackoff,
} from '../../db/limits.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../http/tokens.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

export interface Limits {
  /** Counts a try before its password is looked at; `true` where it may go on. */
  signIn(email: string, address: string): Promise<boolean>
  /** The password was right: nothing was a wrong try. */
  signedIn(db: Queryable, email: string, address: string): Promise<void>
  refuseSignIn(email: string, address: string): Promise<Error>
  /** Counts a code before it is compared. A decoy counts apart, so that no stranger can use up the owner's tries. */
  code(challenge: { userId: string; decoy: boolean }): Promise<boolean>
  codeWasRight(challenge: { userId: string; decoy: boolean }): Promise<void>
  /** Throws when the account has asked for too many codes. */
  resend(db: Queryable, challenge: { userId: string; decoy: boolean }): Promise<void>
  /** Counts a mail that anyone can cause to be sent to an address by typing it; throws when there were too many. */
  mailTo(email: string, kind: 'sign-up' | 'reset'): Promise<void>
  currentPassword(userId: string): Promise<boolean>
  currentPasswordWasRight(userId: string): Promise<void>
  refuseCurrentPassword(userId: string): Promise<Error>
}

/** The numbers of the decisions, kept in PostgreSQL, so that they hold over all processes. */
export function limits(db: Queryable, tokens: Tokens): Limits {
  const keyOf = (...parts: string[]) => tokens.hash('limit', parts.join('\0'))
  const pair = (email: string, address: string) => keyOf('sign-in', email, address)
  const daily = (email: string) => keyOf('sign-in a day', email)
  const codes = ({ userId, decoy }: { userId: string; decoy: boolean }) =>
    keyOf('code', userId, String(decoy))
  const current = (userId: string) => keyOf('current password', userId)
  const patience = { free: SIGN_IN_TRIES, mostMinutes: SIGN_IN_WAIT_MINUTES_MAX }
  const refusal = async (keys: Buffer[]) =>
    refuse(tooManyTries, { retryAfterSeconds: await secondsToWait(db, keys, WRONG_SIGN_INS_A_DAY) })

  return {
    signIn: (email, address) =>
      takeBoth(
        db,
        { key: pair(email, address), ...patience },
        { key: daily(email), most: WRONG_SIGN_INS_A_DAY, seconds: DAY },
      ),
    signedIn: (tx, email, address) => giveBackBoth(tx, pair(email, address), daily(email)),
    refuseSignIn: (email, address) => refusal([pair(email, address), daily(email)]),
    code: (challenge) => take(db, { key: codes(challenge), most: WRONG_CODES_A_DAY, seconds: DAY }),
    codeWasRight: (challenge) => giveBack(db, codes(challenge)),
    resend: async (tx, { userId, decoy }) => {
      const key = keyOf('resend', userId, String(decoy))
      if (await take(tx, { key, most: RESENDS_AN_HOUR, seconds: HOUR })) return
      const retryAfterSeconds = await secondsToWait(tx, [key], RESENDS_AN_HOUR)
      throw refuse(resendTooSoon, { retryAfterSeconds })
    },
    mailTo: async (email, kind) => {
      const window = { key: keyOf('mail to', kind, email), most: RESENDS_AN_HOUR + 1 }
      if (await take(db, { ...window, seconds: HOUR })) return
      const retryAfterSeconds = await secondsToWait(db, [window.key], window.most)
      throw refuse(tooManyTries, { retryAfterSeconds })
    },
    currentPassword: (userId) => takeWithBackoff(db, { key: current(userId), ...patience }),
    currentPasswordWasRight: (userId) => forget(db, [current(userId)]),
    refuseCurrentPassword: (userId) => refusal([current(userId)]),
  }
}
