import type { Role } from '@guidon/contract/account'
import {
  accountDeactivated,
  noChallenge,
  resendTooSoon,
  wrongCode,
  wrongCredentials,
} from '@guidon/contract/auth'
import type { VerificationType } from '@guidon/contract/auth'
import { askAgain, consumeCode, findChallenge, insertChallenge } from '../../db/challenges.ts'
import type { Database } from '../../db/database.ts'
import { findCredentials, markEmailVerified } from '../../db/users.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../http/tokens.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Passwords } from './passwords.ts'
import { codeHash, sendCode } from './send-code.ts'
import type { Sessions } from './sessions.ts'

export interface SignInParts {
  db: Database
  tokens: Tokens
  passwords: Pick<Passwords, 'verify'>
  sessions: Pick<Sessions, 'open'>
  jobs: Jobs
  phone: string
}

interface Presented {
  email: string
  token: string
}

export interface SignIn {
  /** Checks the password, has a code mailed, and answers the challenge's token. */
  start(email: string, password: string): Promise<string>
  /** Turns the right code into a session. */
  verify(presented: Presented, code: string): Promise<{ tokens: SessionTokens; role: Role }>
  resend(presented: Presented, purpose: VerificationType): Promise<void>
}

export function signIn({ db, tokens, passwords, sessions, jobs, phone }: SignInParts): SignIn {
  const openChallenge = async ({ email, token }: Presented, purpose: VerificationType) => {
    const tokenHash = tokens.hash('challenge', token)
    const challenge = await findChallenge(db, { tokenHash, email, purpose })
    if (!challenge) throw refuse(noChallenge)
    return challenge
  }

  return {
    start: async (email, password) => {
      const account = await findCredentials(db, email)
      const right = await passwords.verify(password, account?.passwordHash)
      if (!account || !right) throw refuse(wrongCredentials)
      if (!account.isActive) throw refuse(accountDeactivated(phone))

      const token = tokens.make()
      const tokenHash = tokens.hash('challenge', token)
      await db.transaction().execute(async (tx) => {
        const challengeId = await insertChallenge(tx, {
          tokenHash,
          userId: account.id,
          purpose: 'login',
        })
        await jobs.send(sendCode, { challengeId, send: 1 }, tx)
      })
      return token
    },

    verify: async (presented, code) => {
      const { id: challengeId, userId, role } = await openChallenge(presented, 'login')
      return db
        .transaction()
        .execute(async (tx) => {
          const hash = codeHash(tokens, challengeId, code)
          if (!(await consumeCode(tx, { challengeId, hash }))) return undefined
          await markEmailVerified(tx, userId)
          return { tokens: await sessions.open(tx, { userId, role }), role }
        })
        .then((opened) => {
          // Refused only after the commit: a wrong try must stay counted.
          if (!opened) throw refuse(wrongCode)
          return opened
        })
    },

    resend: async (presented, purpose) => {
      const { id: challengeId, cooldownSeconds } = await openChallenge(presented, purpose)
      await db.transaction().execute(async (tx) => {
        const send = await askAgain(tx, challengeId)
        if (!send) throw refuse(resendTooSoon, { retryAfterSeconds: Math.max(cooldownSeconds, 1) })
        await jobs.send(sendCode, { challengeId, send }, tx)
      })
    },
  }
}
