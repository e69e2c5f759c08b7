import { wrongCode } from '@guidon/contract/auth'
import type { BodyOut } from '@guidon/contract/endpoint'
import { requiredConsents, stateRule } from '@guidon/contract/legal'
import type { Legal } from '@guidon/contract/legal'
import { PASSWORD_BREAKS_RULES } from '@guidon/contract/password'
import { signUpNotOffered } from '@guidon/contract/sign-up'
import type { register } from '@guidon/contract/sign-up'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Tx } from '../../db/database.ts'
import { refuse } from '../../http/refuse.ts'
import type { Passwords } from '../../passwords/passwords.ts'
import type { Strength } from '../../passwords/strength.ts'
import { isAcceptedText } from '../../platform/consent-hash.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { Calls } from '../feature.ts'
import type { Challenges, PresentedChallenge, SolvedChallenge } from './challenge.ts'
import { findOpened } from './derived-tokens.ts'
import type { Client, Limits } from './limits.ts'
import type { OpenSession, OpenedSession } from './open-session.ts'
import { acceptedWith, closeSignUp, insertSignUp, promoteSignUp } from './sign-ups.sql.ts'

export interface SignUpParts {
  db: Database
  tokens: Tokens
  passwords: Pick<Passwords, 'hash'>
  strength: Pick<Strength, 'weakness'>
  challenges: Pick<Challenges, 'openSignUp' | 'solve'>
  openSession: OpenSession
  limits: Pick<Limits, 'signUp' | 'mailTo'>
  legal: Legal
  calls: Pick<Calls, 'waitForLink' | 'recordConsents'>
}

export interface SignUp {
  /** Returns the token of the challenge, also for a taken email, whose owner then gets an email. */
  start(person: BodyOut<typeof register>, client: Client): Promise<string>
  verify(presented: PresentedChallenge, code: string): Promise<OpenedSession & { linked: boolean }>
}

interface Solved {
  userId: string
  opened: OpenedSession
}

export function signUp(parts: SignUpParts): SignUp {
  const { db, tokens, passwords, strength, challenges, openSession, limits, legal, calls } = parts

  /** Turns a verified sign-up into an account. Returns undefined if its email got an account meanwhile. */
  const accountOf = async (tx: Tx, { signUpId }: SolvedChallenge) => {
    if (!signUpId) return undefined
    const person = await promoteSignUp(tx, signUpId)
    if (!person) return undefined
    const { consents, acceptedAt } = await acceptedWith(tx, signUpId)
    await calls.recordConsents(tx, person.userId, consents, acceptedAt)
    await closeSignUp(tx, signUpId)
    return person
  }

  return {
    start: async ({ password, consents: shown, ...person }, client) => {
      await limits.signUp(client)
      const reason = stateRule(legal, person.state)?.noSignUp
      if (reason) throw refuse(signUpNotOffered(reason), { fields: { state: reason } })
      const weakness = await strength.weakness(password, person, client.address)
      if (weakness) throw refuse(weakness, { fields: { password: PASSWORD_BREAKS_RULES } })
      await limits.mailTo(person.email, client)
      const passwordHash = await passwords.hash(password, client.address)
      return db.transaction().execute(async (tx) => {
        // Texts that changed since the page was loaded are left out: the person must accept those after the
        // verification.
        const consents = requiredConsents(legal, person.state).filter(
          (consent) => !shown || isAcceptedText(consent, shown),
        )
        const signUpRow = await insertSignUp(tx, { ...person, passwordHash, consents })
        return challenges.openSignUp(tx, signUpRow)
      })
    },

    verify: async (presented, code) => {
      const solved = await challenges.solve<Solved>(
        presented,
        'email',
        code,
        async (tx, challenge) => {
          const person = await accountOf(tx, challenge)
          if (!person) return undefined
          const { userId } = person
          await recordEvent(tx, { event: 'email_verified', actorId: userId, subjectId: userId })
          return { userId, opened: await openSession(tx, person, presented, 'first device') }
        },
        // For a repeated request, whose code has opened a session already.
        async () => {
          const opened = await findOpened(db, tokens, presented)
          return opened && { userId: opened.user.id, opened: { ...opened, linked: 'pending' } }
        },
      )
      if (!solved) throw refuse(wrongCode)
      const { userId, opened } = solved
      const linked = opened.linked === 'pending' ? await calls.waitForLink(userId) : opened.linked
      return { ...opened, linked }
    },
  }
}
