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
  askAgain,
  consumeCode,
  findChallenge,
  insertSignInChallenge,
  insertSignUpChallenge,
} from './challenges.sql.ts'
import type { From, Limits } from './limits.ts'
import { codeOf, sendCode } from './send-code.ts'

export interface ChallengeParts {
  db: Database
  tokens: Tokens
  jobs: Jobs
  limits: Pick<Limits, 'code' | 'resend'>
}

/** What the caller of verify and resend shows: the cookie of the challenge, and the email typed. */
export interface Presented {
  email: string
  token: string
  from: From
}

export type OpenChallenge = NonNullable<Awaited<ReturnType<typeof findChallenge>>>

/** One whose code was right, with its account as it is now, held until the transaction ends. */
export type SolvedChallenge = OpenChallenge & { account: Awaited<ReturnType<typeof lockAccount>> }

export interface Challenges {
  /**
   * Each stores a challenge and the job that mails its code, and returns the token for the cookie; for a
   * sign-in, undefined where the password that was checked is not the account's any more.
   */
  openSignIn(tx: Tx, account: { id: string; passwordHash: string }): Promise<string | undefined>
  openSignUp(tx: Tx, signUp: { id: string; takenBy: string | null }): Promise<string>
  /**
   * Runs `then` in one transaction with the code's use. Undefined where the code was not right, or opens
   * nothing any more.
   */
  solve<T>(
    presented: Presented,
    purpose: VerificationType,
    code: string,
    then: (tx: Tx, challenge: SolvedChallenge) => Promise<T | undefined>,
  ): Promise<T | undefined>
  resend(presented: Presented, purpose: VerificationType): Promise<void>
}

/** Under which id the log knows it: a sign-up has the id that its account will have. */
const subjectOf = ({ userId, signUpId }: OpenChallenge) => userId ?? signUpId ?? undefined

export function challenges({ db, tokens, jobs, limits }: ChallengeParts): Challenges {
  const find = async ({ email, token }: Presented, purpose: VerificationType) => {
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

    solve: async (presented, purpose, code, then) => {
      const challenge = await find(presented, purpose)
      const { id: challengeId, userId, decoy } = challenge
      // Compared ones are few, by their limits; of the others anyone can send any number.
      const refused = (on: Queryable, compared: boolean) =>
        (compared ? recordEvent : recordBlocked)(on, {
          event: 'code_refused',
          subjectId: subjectOf(challenge),
          details: { compared },
        })
      const attempt = await limits.code({ ...challenge, email: presented.email }, presented.from)
      if (!attempt.allowed) {
        await refused(db, false)
        throw await attempt.refusal()
      }
      const solved = await db.transaction().execute(async (tx) => {
        const account = userId && !decoy ? await lockAccount(tx, userId) : undefined
        const hashes = tokens.hashes('code', codeOf(challengeId, code))
        const verdict = await consumeCode(tx, { challengeId, hashes })
        const value = verdict === 'right' ? await then(tx, { ...challenge, account }) : undefined
        // Committed, not thrown: the wrong try stays counted.
        if (value === undefined) await refused(tx, verdict === 'wrong')
        return value
      })
      if (solved !== undefined) await attempt.wasRight()
      return solved
    },

    resend: async (presented, purpose) => {
      const challenge = await find(presented, purpose)
      await db.transaction().execute(async (tx) => {
        const send = await askAgain(tx, challenge.id)
        if (!send) {
          throw refuse(resendTooSoon, { retryAfterSeconds: Math.max(challenge.cooldownSeconds, 1) })
        }
        await limits.resend(tx, { ...challenge, email: presented.email }, presented.from)
        await recordEvent(tx, { event: 'code_sent_again', subjectId: subjectOf(challenge) })
        await jobs.send(sendCode, { challengeId: challenge.id, send }, tx)
      })
    },
  }
}
