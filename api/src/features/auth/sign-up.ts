import { wrongCode } from '@guidon/contract/auth'
import { PASSWORD_UNMET } from '@guidon/contract/password'
import type { SignUp as SignUpData } from '@guidon/contract/sign-up'
import { recordEvent } from '../../db/audit-events.ts'
import { voidSignUps } from '../../db/challenges.ts'
import type { Database } from '../../db/database.ts'
import { markEmailVerified, upsertSignUp } from '../../db/users.ts'
import { addressKey } from '../../http/address-key.ts'
import { refuse, refuseInput } from '../../http/refuse.ts'
import type { Arrival, Arrived } from './arrival.ts'
import type { Challenges, Presented } from './challenge.ts'
import type { Limits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import type { Strength } from './strength.ts'

export interface SignUpParts {
  db: Database
  passwords: Pick<Passwords, 'hash'>
  strength: Pick<Strength, 'isHardToGuess'>
  challenges: Pick<Challenges, 'open' | 'solve'>
  arrival: Arrival
  limits: Pick<Limits, 'mailTo'>
  termsVersion: string
}

export interface SignUp {
  /** Answers the challenge's token; a taken email gets one too, and its owner a mail. */
  start(person: SignUpData, address: string): Promise<string>
  verify(presented: Presented, code: string, device: string | undefined): Promise<Arrived>
}

export function signUp(parts: SignUpParts): SignUp {
  const { db, passwords, strength, challenges, arrival, limits, termsVersion } = parts

  return {
    start: async ({ password, ...person }, address) => {
      if (!(await strength.isHardToGuess(password, person))) {
        throw refuseInput([{ path: ['password'], message: PASSWORD_UNMET }])
      }
      await limits.mailTo(person.email, 'sign-up')
      const passwordHash = await passwords.hash(password, addressKey(address))
      return db.transaction().execute(async (tx) => {
        const { id, taken } = await upsertSignUp(tx, { ...person, passwordHash, termsVersion })
        await voidSignUps(tx, id, taken)
        return challenges.open(tx, {
          userId: id,
          purpose: 'email',
          decoy: taken,
          event: taken ? 'sign_up_with_taken_email' : 'signed_up',
        })
      })
    },

    verify: async (presented, code, device) => {
      const arrived = await challenges.solve(
        presented,
        'email',
        code,
        async (tx, { userId, role }) => {
          await markEmailVerified(tx, userId)
          await recordEvent(tx, { event: 'email_verified', actorId: userId, subjectId: userId })
          return arrival(tx, { userId, role }, device, 'is their first')
        },
      )
      if (!arrived) throw refuse(wrongCode)
      return arrived
    },
  }
}
