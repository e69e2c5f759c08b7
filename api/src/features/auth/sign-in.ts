import type { Role } from '@guidon/contract/account'
import { accountDeactivated, noChallenge, wrongCode, wrongCredentials } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import { recordBlocked } from '../../db/blocked-tries.ts'
import type { Database, Tx } from '../../db/database.ts'
import { insertResetToken } from '../../db/reset-tokens.ts'
import {
  findCredentials,
  holdForSignIn,
  markEmailVerified,
  renewPasswordHash,
} from '../../db/users.ts'
import { addressKey } from '../../http/address-key.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../http/tokens.ts'
import type { Arrival, Arrived } from './arrival.ts'
import type { Challenges, Presented } from './challenge.ts'
import type { Limits } from './limits.ts'
import type { Passwords } from './passwords.ts'

export interface SignInParts {
  db: Database
  tokens: Tokens
  passwords: Pick<Passwords, 'inLine'>
  challenges: Pick<Challenges, 'open' | 'solve'>
  arrival: Arrival
  limits: Pick<Limits, 'signIn' | 'signedIn' | 'refuseSignIn'>
  phone: string
}

export interface SignIn {
  /** Checks the password, has a code mailed, and answers the challenge's token. */
  start(email: string, password: string, address: string): Promise<string>
  /** Turns the right code into a session; after a temporary password, into a token to choose an own one with. */
  verify(presented: Presented, code: string, device: string | undefined): Promise<Verified>
}

export type Verified = { role: Role } & ({ arrived: Arrived } | { resetToken: string })

/** Known and unknown emails take the same steps, up to the answer that only the right password gets. */
export function signIn(parts: SignInParts): SignIn {
  const { db, tokens, passwords, challenges, arrival, limits, phone } = parts

  const resetToken = async (tx: Tx, userId: string) => {
    const token = tokens.make()
    await insertResetToken(tx, { tokenHash: tokens.hash('reset', token), userId })
    return token
  }

  return {
    start: async (email, password, address) => {
      const { account, renewed } = await passwords.inLine(
        addressKey(address),
        async (verify, renew) => {
          if (!(await limits.signIn(email, address))) {
            await recordBlocked(db, { event: 'sign_in_blocked' })
            throw await limits.refuseSignIn(email, address)
          }
          const found = await findCredentials(db, email)
          const fits = await verify(password, found?.passwordHash)
          const right = fits && !found?.passwordIsVoid
          if (found && right && found.isActive) {
            return { account: found, renewed: await renew(password, found.passwordHash) }
          }
          await recordEvent(db, { event: 'sign_in_refused', subjectId: found?.id })
          throw refuse(found && right ? accountDeactivated(phone) : wrongCredentials)
        },
      )
      return db.transaction().execute(async (tx) => {
        await limits.signedIn(tx, email, address)
        if (renewed) await renewPasswordHash(tx, account, renewed)
        return challenges.open(tx, {
          userId: account.id,
          purpose: 'login',
          decoy: false,
          event: 'sign_in_started',
        })
      })
    },

    verify: async (presented, code, device) => {
      const verified = await challenges.solve(
        presented,
        'login',
        code,
        async (tx, { userId, role }): Promise<Verified> => {
          const held = await holdForSignIn(tx, userId)
          if (!held) throw refuse(noChallenge)
          await markEmailVerified(tx, userId)
          const own = { actorId: userId, subjectId: userId }
          if (held.passwordIsTemporary) {
            await recordEvent(tx, { event: 'signed_in_with_temporary_password', ...own })
            return { role, resetToken: await resetToken(tx, userId) }
          }
          await recordEvent(tx, { event: 'signed_in', ...own })
          const person = { userId, role }
          return { role, arrived: await arrival(tx, person, device, 'tell of a new device') }
        },
      )
      if (!verified) throw refuse(wrongCode)
      return verified
    },
  }
}
