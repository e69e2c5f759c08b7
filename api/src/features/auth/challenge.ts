import { noChallenge, resendTooSoon } from '@guidon/contract/auth'
import type { VerificationType } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import { newDatedId } from '../../db/days.ts'
import { lockAccount } from '../../db/users.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import { refuse } from '../../http/refuse.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Tokens } from '../../platform/tokens.ts'
import {
  countResend,
  consumeCode,
  findChallenge,
  findSolved,
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
  /** The tokens of the session that the browser already has. */
  session: Partial<SessionTokens>
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
  /**
   * Like `openSignIn`, but always returns a token. `existingAccountId` is the account that already has the email: then
   * the challenge is a decoy, which no code solves.
   */
  openSignUp(tx: Tx, signUp: { id: string; existingAccountId: string | null }): Promise<string>
  /**
   * Consumes the code and runs `onRightCode` in one transaction. Returns undefined if the code is wrong or expired,
   * or if `onRightCode` returns undefined. `findResult` returns the result of an earlier request with the same code, whose
   * response may have been lost.
   */
  solve<T>(
    presented: PresentedChallenge,
    purpose: VerificationType,
    code: string,
    onRightCode: (tx: Tx, challenge: SolvedChallenge) => Promise<T | undefined>,
    findResult: () => Promise<T | undefined>,
  ): Promise<T | undefined>
  resend(presented: PresentedChallenge, purpose: VerificationType): Promise<void>
}

/** The id for the audit log. A sign-up has the id that its account will have. */
const subjectOf = ({ userId, signUpId }: OpenChallenge) => userId ?? signUpId ?? undefined

export function challenges({ db, tokens, jobs, limits }: ChallengeParts): Challenges {
  const wanted = ({ email, token }: PresentedChallenge, purpose: VerificationType) => ({
    search: tokens.searchFor('challenge', token),
    email,
    purpose,
  })
  const codeHashes = (challengeId: string, code: string) =>
    tokens.hashes('code', boundCode(challengeId, code))

  /**
   * For a request that is repeated after the challenge was solved. Counts as a try, or a client could guess the code of
   * a challenge that another client has solved.
   */
  const repeat = async <T>(
    presented: PresentedChallenge,
    purpose: VerificationType,
    code: string,
    findResult: () => Promise<T | undefined>,
  ): Promise<T> => {
    const solved = await findSolved(db, wanted(presented, purpose))
    if (!solved) throw refuse(noChallenge)
    const subject = { userId: solved.userId, signUpId: null, email: presented.email, purpose }
    const attempt = await limits.code(subject, presented.client)
    if (!attempt.allowed) throw await attempt.refusal()
    const isSameCode = codeHashes(solved.id, code).some((hash) => solved.codeHash?.equals(hash))
    const result = isSameCode ? await findResult() : undefined
    if (result === undefined) throw refuse(noChallenge)
    await attempt.succeeded()
    return result
  }

  const newToken = () => {
    const { id, at } = newDatedId()
    const token = tokens.makeDated(at)
    return { id, token, tokenHash: tokens.hash('challenge', token) }
  }

  return {
    openSignIn: async (tx, account) => {
      const { token, ...row } = newToken()
      if (!(await insertSignInChallenge(tx, { ...row, account }))) return undefined
      await jobs.send(sendCode, { challengeId: row.id, send: 1 }, tx)
      return token
    },

    openSignUp: async (tx, { id: signUpId, existingAccountId }) => {
      const { token, ...row } = newToken()
      await insertSignUpChallenge(tx, { ...row, signUpId, existingAccountId })
      await jobs.send(sendCode, { challengeId: row.id, send: 1 }, tx)
      return token
    },

    solve: async (presented, purpose, code, onRightCode, findResult) => {
      const challenge = await findChallenge(db, wanted(presented, purpose))
      if (!challenge) return repeat(presented, purpose, code, findResult)
      const { id: challengeId, userId, decoy } = challenge
      // A code that was compared and is wrong gets an audit event of its own: limits keep them few. Tries that
      // were refused without a comparison are only counted, because anyone can send any number of them.
      const recordRefusal = (queryable: Queryable, wasWrong: boolean) =>
        (wasWrong ? recordEvent : recordBlocked)(queryable, {
          event: 'code_refused',
          subjectId: subjectOf(challenge),
          details: { compared: wasWrong },
        })
      const attempt = await limits.code({ ...challenge, email: presented.email }, presented.client)
      if (!attempt.allowed) {
        await recordRefusal(db, false)
        throw await attempt.refusal()
      }
      const solved = await db.transaction().execute(async (tx) => {
        const account = userId && !decoy ? await lockAccount(tx, userId) : undefined
        const hashes = codeHashes(challengeId, code)
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
      const challenge = await findChallenge(db, wanted(presented, purpose))
      if (!challenge) throw refuse(noChallenge)
      await db.transaction().execute(async (tx) => {
        const sendNumber = await countResend(tx, challenge.id)
        if (!sendNumber) {
          throw refuse(resendTooSoon, { retryAfterSeconds: Math.max(challenge.cooldownSeconds, 1) })
        }
        await limits.resend(tx, { ...challenge, email: presented.email }, presented.client)
        await recordEvent(tx, { event: 'code_sent_again', subjectId: subjectOf(challenge) })
        await jobs.send(sendCode, { challengeId: challenge.id, send: sendNumber }, tx)
      })
    },
  }
}
