import type { Role } from '@guidon/contract/account'
import { accountDeactivated, noChallenge, wrongCode, wrongCredentials } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database, Tx } from '../../db/database.ts'
import { renewPasswordHash } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import { recordUsed } from '../../mail/deliveries.sql.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { Challenges, PresentedChallenge } from './challenge.ts'
import { derivedTokens, findOpened } from './derived-tokens.ts'
import type { Client, Limits } from './limits.ts'
import type { OpenSession, OpenedSession } from './open-session.ts'
import { insertResetToken, ownerOfResetToken } from './reset-tokens.sql.ts'

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
  /** Verifies the password, queues a code, and returns the token of the challenge. */
  start(email: string, password: string, client: Client): Promise<string>
  /** Opens a session, or after a temporary password returns a token to set a new password. */
  verify(presented: PresentedChallenge, code: string): Promise<Verified>
}

type Verified = { role: Role } & ({ opened: OpenedSession } | { resetToken: string })

/** Without the right password, known and unknown emails take the same steps and get the same response. */
export function signIn(parts: SignInParts): SignIn {
  const { db, tokens, passwords, challenges, openSession, limits, phone } = parts

  const openReset = async (tx: Tx, userId: string, presented: PresentedChallenge) => {
    const { reset } = derivedTokens(tokens, presented)
    await insertResetToken(tx, { tokenHash: tokens.hash('reset', reset), userId })
    return reset
  }

  const findVerified = async (presented: PresentedChallenge): Promise<Verified | undefined> => {
    const opened = await findOpened(db, tokens, presented)
    if (opened) return { role: opened.user.role, opened: { ...opened, linked: false } }
    const { reset } = derivedTokens(tokens, presented)
    const owner = await ownerOfResetToken(db, tokens.hashes('reset', reset))
    return owner && { role: owner.role, resetToken: reset }
  }

  return {
    start: async (email, password, client) => {
      const { account, renewed, attempt } = await passwords.withQueueSlot(
        client.address,
        async (verify, renew) => {
          const counted = await limits.signIn(email, client)
          if (!counted.allowed) {
            await recordBlocked(db, { event: 'sign_in_blocked' })
            throw await counted.refusal()
          }
          const found = counted.account
          const matches = await verify(password, found?.passwordHash)
          const right = matches && !found?.passwordHasExpired
          if (found && right && found.isActive) {
            const newHash = await renew(password, found.passwordHash)
            return { account: found, renewed: newHash, attempt: counted }
          }
          await recordEvent(db, { event: 'sign_in_refused', subjectId: found?.id })
          throw refuse(found && right ? accountDeactivated(phone) : wrongCredentials)
        },
      )
      try {
        return await db.transaction().execute(async (tx) => {
          if (renewed) await renewPasswordHash(tx, account, renewed)
          const passwordHash = renewed ?? account.passwordHash
          const token = await challenges.openSignIn(tx, { id: account.id, passwordHash })
          // The password was changed after it was verified.
          if (!token) throw refuse(wrongCredentials)
          // Locks are taken in the order account, challenges, limits. Another order could deadlock with a resend.
          await limits.signInCode(tx, { id: account.id, email }, client)
          await attempt.succeeded(tx)
          return token
        })
      } catch (error) {
        // The password was right, so the try does not count.
        await attempt.succeeded()
        throw error
      }
    },

    verify: async (presented, code) => {
      const verified = await challenges.solve(
        presented,
        'login',
        code,
        async (tx, { userId, account }): Promise<Verified> => {
          if (!userId || !account) throw refuse(noChallenge)
          const { role } = account
          const ids = { actorId: userId, subjectId: userId }
          if (account.passwordIsTemporary) {
            await recordEvent(tx, { event: 'signed_in_with_temporary_password', ...ids })
            return { role, resetToken: await openReset(tx, userId, presented) }
          }
          await recordEvent(tx, { event: 'signed_in', ...ids })
          const user = { userId, role }
          const opened = await openSession(tx, user, presented, 'notify of a new device')
          // After `openSession`, so that this session still has `emailReachable: false` if earlier emails bounced.
          await recordUsed(tx, userId, 'code')
          return { role, opened }
        },
        () => findVerified(presented),
      )
      if (!verified) throw refuse(wrongCode)
      return verified
    },
  }
}
