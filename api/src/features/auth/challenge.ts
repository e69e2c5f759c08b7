import { noChallenge, resendTooSoon } from '@guidon/contract/auth'
import type { VerificationType } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import type { AuditEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import { askAgain, consumeCode, findChallenge, insertChallenge } from '../../db/challenges.ts'
import type { Database, Tx } from '../../db/database.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../http/tokens.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Limits } from './limits.ts'
import { codeOf, sendCode } from './send-code.ts'

export interface ChallengeParts {
  db: Database
  tokens: Tokens
  jobs: Jobs
  limits: Pick<Limits, 'code' | 'codeWasRight' | 'resend'>
}

/** What the caller of verify and resend shows: the cookie of the challenge, and the email typed. */
export interface Presented {
  email: string
  token: string
}

interface NewChallenge {
  userId: string
  purpose: VerificationType
  decoy: boolean
  /** What the log says of it. */
  event: AuditEvent
}

export type OpenChallenge = NonNullable<Awaited<ReturnType<typeof findChallenge>>>

export interface Challenges {
  /** Stores a challenge and the job that mails its code; answers the token for the cookie. */
  open(tx: Tx, challenge: NewChallenge): Promise<string>
  /** Runs `then` in one transaction with the code's use; undefined where the code was not right. */
  solve<T>(
    presented: Presented,
    purpose: VerificationType,
    code: string,
    then: (tx: Tx, challenge: OpenChallenge) => Promise<T>,
  ): Promise<T | undefined>
  resend(presented: Presented, purpose: VerificationType): Promise<void>
}

export function challenges({ db, tokens, jobs, limits }: ChallengeParts): Challenges {
  const find = async ({ email, token }: Presented, purpose: VerificationType) => {
    const tokenHashes = tokens.hashes('challenge', token)
    const challenge = await findChallenge(db, { tokenHashes, email, purpose })
    if (!challenge) throw refuse(noChallenge)
    return challenge
  }

  return {
    open: async (tx, challenge) => {
      const token = tokens.make()
      const tokenHash = tokens.hash('challenge', token)
      const challengeId = await insertChallenge(tx, { ...challenge, tokenHash })
      await jobs.send(sendCode, { challengeId, send: 1 }, tx)
      return token
    },

    solve: async (presented, purpose, code, then) => {
      const challenge = await find(presented, purpose)
      const mayTry = await limits.code(challenge)
      const solved = await db.transaction().execute(async (tx) => {
        const hashes = tokens.hashes('code', codeOf(challenge.id, code))
        const verdict = mayTry && (await consumeCode(tx, { challengeId: challenge.id, hashes }))
        if (verdict === 'right') return { value: await then(tx, challenge) }
        // Committed, not thrown: the wrong try stays counted.
        const compared = verdict === 'wrong'
        // Compared ones are few, by their limits; of the others anyone can send any number.
        const record = compared ? recordEvent : recordBlocked
        await record(tx, {
          event: 'code_refused',
          subjectId: challenge.userId,
          details: { compared },
        })
        return undefined
      })
      if (!solved) return undefined
      await limits.codeWasRight(challenge)
      return solved.value
    },

    resend: async (presented, purpose) => {
      const challenge = await find(presented, purpose)
      await db.transaction().execute(async (tx) => {
        const send = await askAgain(tx, challenge.id)
        if (!send) {
          throw refuse(resendTooSoon, { retryAfterSeconds: Math.max(challenge.cooldownSeconds, 1) })
        }
        await limits.resend(tx, challenge)
        await recordEvent(tx, { event: 'code_sent_again', subjectId: challenge.userId })
        await jobs.send(sendCode, { challengeId: challenge.id, send }, tx)
      })
    },
  }
}
