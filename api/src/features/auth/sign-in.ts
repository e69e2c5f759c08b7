import type { Role } from '@guidon/contract/account'
import { accountDeactivated, noChallenge, wrongCode, wrongCredentials } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database, Tx } from '../../db/database.ts'
import { findCredentials, renewPasswordHash } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { Challenges, Presented } from './challenge.ts'
import type { From, Limits } from './limits.ts'
import type { OpenSession, OpenedSession } from './open-session.ts'
import { insertResetToken } from './reset-tokens.sql.ts'

export interface SignInParts {
  db: Database
  tokens: Tokens
  passwords: Pick<Passwords, 'withQueueSlot'>
  challenges: Pick<Challenges, 'openSignIn' | 'solve'>
  openSession: OpenSession
  limits: Pick<Limits, 'signIn' | 'signInCode'>
  phone: string
}

export interface SignIn {
  /** Checks the password, has a code mailed, and answers the challenge's token. */
  start(email: string, password: string, from: From): Promise<string>
  /** Turns the right code into a session; after a temporary password, into a token to choose an own one with. */
  verify(presented: Presented, code: string): Promise<Verified>
}

export type Verified = { role: Role } & ({ opened: OpenedSession } | { resetToken: string })

/** Known and unknown emails take the same steps, up to the answer that only the right password gets. */
export function signIn(parts: SignInParts): SignIn {
  const { db, tokens, passwords, challenges, openSession, limits, phone } = parts

  const resetToken = async (tx: Tx, userId: string) => {
    const token = tokens.make()
    await insertResetToken(tx, { tokenHash: tokens.hash('reset', token), userId })
    return token
  }

  return {
    start: async (email, password, from) => {
      const { account, renewed, attempt } = await passwords.withQueueSlot(
        from.address,
        async (verify, renew) => {
          const counted = await limits.signIn(email, from)
          if (!counted.allowed) {
            await recordBlocked(db, { event: 'sign_in_blocked' })
            throw await counted.refusal()
          }
          const found = await findCredentials(db, email)
          const fits = await verify(password, found?.passwordHash)
          const right = fits && !found?.passwordIsVoid
          if (found && right && found.isActive) {
            const again = await renew(password, found.passwordHash)
            return { account: found, renewed: again, attempt: counted }
          }
          await recordEvent(db, { event: 'sign_in_refused', subjectId: found?.id })
          throw refuse(found && right ? accountDeactivated(phone) : wrongCredentials)
        },
      )
      await attempt.wasRight()
      return db.transaction().execute(async (tx) => {
        if (renewed) await renewPasswordHash(tx, account, renewed)
        const passwordHash = renewed ?? account.passwordHash
        const token = await challenges.openSignIn(tx, { id: account.id, passwordHash })
        // Changed between the check and here: by now it is a wrong one.
        if (!token) throw refuse(wrongCredentials)
        // Last, as everywhere: account, challenges, limits. Another order could deadlock with a resend.
        await limits.signInCode(tx, { id: account.id, email }, from)
        return token
      })
    },

    verify: async (presented, code) => {
      const verified = await challenges.solve(
        presented,
        'login',
        code,
        async (tx, { userId, account }): Promise<Verified> => {
          if (!userId || !account?.isVerified) throw refuse(noChallenge)
          const { role } = account
          const own = { actorId: userId, subjectId: userId }
          if (account.passwordIsTemporary) {
            await recordEvent(tx, { event: 'signed_in_with_temporary_password', ...own })
            return { role, resetToken: await resetToken(tx, userId) }
          }
          await recordEvent(tx, { event: 'signed_in', ...own })
          const person = { userId, role }
          const { device } = presented.from
          return { role, opened: await openSession(tx, person, device, 'tell of a new device') }
        },
      )
      if (!verified) throw refuse(wrongCode)
      return verified
    },
  }
}
