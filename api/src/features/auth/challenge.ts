import { noChallenge, resendTooSoon } from '@guidon/contract/auth'
import type { VerificationType } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import { lockAccount } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Tokens } from '../../platform/tokens.ts'
import {
  countResend,
  consumeCode,
  findChallenge,
  insertSignInChallenge,
  insertSignUpChallenge,
} from './challenges.sql.ts'
import type { Client, Limits } from './limits.ts'
import { boundCode, sendCode } from './send-code.ts'

export interface ChallengeParts {
  db: Database
  tokens: Tokens
  jobs: Jobs
  limits: Pick<Limits, 'code' | 'resend'>
}

/** The challenge's cookie and the typed email, which must belong together. */
export interface PresentedChallenge {
  email: string
  token: string
  client: Client
}

type OpenChallenge = NonNullable<Awaited<ReturnType<typeof findChallenge>>>

/** A challenge whose code was right, with its account. The account is locked until the transaction ends. */
export type SolvedChallenge = OpenChallenge & { account: Awaited<ReturnType<typeof lockAccount>> }

export interface Challenges {
  /**
   * Stores a challenge and the job that sends its code. Returns the token for the cookie, or undefined if the
   * password was changed, or the account deactivated, after the password was verified.
   */
  openSignIn(tx: Tx, account: { id: string; passwordHash: string }): Promise<string | undefined>
  /** Like `openSignIn`, but always returns a token. */
  openSignUp(tx: Tx, signUp: { id: string; takenBy: string | null }): Promise<string>
  /**
   * Consumes the code and runs `onRightCode` in one transaction. Returns undefined if the code is wrong or expired,
   * or if `onRightCode` returns undefined.
   */
  solve<T>(
    presented: PresentedChallenge,
    purpose: VerificationType,
    code: string,
    onRightCode: (tx: Tx, challenge: SolvedChallenge) => Promise<T | undefined>,
  ): Promise<T | undefined>
  resend(presented: PresentedChallenge, purpose: VerificationType): Promise<void>
}

/** The id for the audit log. A sign-up has the id that its account will have. */
const subjectOf = ({ userId, signUpId }: OpenChallenge) => userId ?? signUpId ?? undefined

export function challenges({ db, tokens, jobs, limits }: ChallengeParts): Challenges {
  const find = async ({ email, token }: PresentedChallenge, purpose: VerificationType) => {
    const tokenHashes = tokens.hashes('challenge', token)
    const challenge = await findChallenge(db, { tokenHashes, email, purpose })
    if (!challenge) throw refuse(noChallenge)
    return challenge
  }

  const newToken = () => {
    const token = tokens.make()
    return { token, tokenHash: tokens.hash('challenge', token) }
  }

  return {
    openSignIn: async (tx, account) => {
      const { token, tokenHash } = newToken()
      const challengeId = await insertSignInChallenge(tx, { tokenHash, account })
      if (!challengeId) return undefined
      await jobs.send(sendCode, { challengeId, send: 1 }, tx)
      return token
    },

    openSignUp: async (tx, { id: signUpId, takenBy }) => {
      const { token, tokenHash } = newToken()
      const challengeId = await insertSignUpChallenge(tx, { tokenHash, signUpId, takenBy })
      await jobs.send(sendCode, { challengeId, send: 1 }, tx)
      return token
    },

    solve: async (presented, purpose, code, onRightCode) => {
      const challenge = await find(presented, purpose)
      const { id: challengeId, userId, decoy } = challenge
      // A wrong code that was compared gets an audit event of its own: limits keep them few. The others are only
      // counted, because anyone can send any number of them.
      const recordRefusal = (queryable: Queryable, compared: boolean) =>
        (compared ? recordEvent : recordBlocked)(queryable, {
          event: 'code_refused',
          subjectId: subjectOf(challenge),
          details: { compared },
        })
      const attempt = await limits.code({ ...challenge, email: presented.email }, presented.client)
      if (!attempt.allowed) {
        await recordRefusal(db, false)
        throw await attempt.refusal()
      }
      const solved = await db.transaction().execute(async (tx) => {
        const account = userId && !decoy ? await lockAccount(tx, userId) : undefined
        const hashes = tokens.hashes('code', boundCode(challengeId, code))
        const result = await consumeCode(tx, { challengeId, hashes })
        const value =
          result === 'right' ? await onRightCode(tx, { ...challenge, account }) : undefined
        // Does not throw, so that the failed try is committed.
        if (value === undefined) await recordRefusal(tx, result === 'wrong')
        return value
      })
      if (solved !== undefined) await attempt.succeeded()
      return solved
    },

    resend: async (presented, purpose) => {
      const challenge = await find(presented, purpose)
      await db.transaction().execute(async (tx) => {
        const send = await countResend(tx, challenge.id)
        if (!send) {
          throw refuse(resendTooSoon, { retryAfterSeconds: Math.max(challenge.cooldownSeconds, 1) })
        }
        await limits.resend(tx, { ...challenge, email: presented.email }, presented.client)
        await recordEvent(tx, { event: 'code_sent_again', subjectId: subjectOf(challenge) })
        await jobs.send(sendCode, { challengeId: challenge.id, send }, tx)
      })
    },
  }
}
