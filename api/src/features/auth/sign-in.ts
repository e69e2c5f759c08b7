import type { Role } from '@guidon/contract/account'
import { accountDeactivated, wrongCode, wrongCredentials } from '@guidon/contract/auth'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { findCredentials, markEmailVerified } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Arrival, Arrived } from './arrival.ts'
import type { Challenges, Presented } from './challenge.ts'
import type { Limits } from './limits.ts'
import type { Passwords } from './passwords.ts'

export interface SignInParts {
  db: Database
  passwords: Pick<Passwords, 'inLine'>
  challenges: Pick<Challenges, 'open' | 'solve'>
  arrival: Arrival
  limits: Pick<Limits, 'signIn' | 'signedIn' | 'refuseSignIn'>
  phone: string
}

export interface SignIn {
  /** Checks the password, has a code mailed, and answers the challenge's token. */
  start(email: string, password: string, address: string): Promise<string>
  /** Turns the right code into a session. */
  verify(
    presented: Presented,
    code: string,
    device: string | undefined,
  ): Promise<Arrived & { role: Role }>
}

/** Known and unknown emails take the same steps, up to the answer that only the right password gets. */
export function signIn({ db, passwords, challenges, arrival, limits, phone }: SignInParts): SignIn {
  return {
    start: async (email, password, address) => {
      const account = await passwords.inLine(async (verify) => {
        if (!(await limits.signIn(email, address))) {
          await recordEvent(db, { event: 'sign_in_blocked' })
          throw await limits.refuseSignIn(email, address)
        }
        const found = await findCredentials(db, email)
        const right = await verify(password, found?.passwordHash)
        if (found && right && found.isActive) return found
        await recordEvent(db, { event: 'sign_in_refused', subjectId: found?.id })
        throw refuse(found && right ? accountDeactivated(phone) : wrongCredentials)
      })
      return db.transaction().execute(async (tx) => {
        await limits.signedIn(tx, email, address)
        return challenges.open(tx, {
          userId: account.id,
          purpose: 'login',
          decoy: false,
          event: 'sign_in_started',
        })
      })
    },

    verify: async (presented, code, device) => {
      const arrived = await challenges.solve(
        presented,
        'login',
        code,
        async (tx, { userId, role }) => {
          await markEmailVerified(tx, userId)
          await recordEvent(tx, { event: 'signed_in', actorId: userId, subjectId: userId })
          return { ...(await arrival(tx, { userId, role }, device, 'tell of a new device')), role }
        },
      )
      if (!arrived) throw refuse(wrongCode)
      return arrived
    },
  }
}
