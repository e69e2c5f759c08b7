import { role } from '@guidon/contract/account'
import type { Role } from '@guidon/contract/account'
import { newPassword, unmetPasswordRules } from '@guidon/contract/password'
import { signUp } from '@guidon/contract/sign-up'
import * as z from 'zod/mini'
import type { Links } from '../../crm/links/links.ts'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { findCredentials, insertUser, lockByEmail, setRole } from '../../db/users.ts'
import type { Calls } from '../feature.ts'

/** Names each rule that the password breaks, because an operator sees no list of them. */
const explainedPassword = newPassword.check(({ value, issues }) => {
  for (const message of unmetPasswordRules(value)) {
    issues.push({ code: 'custom', message, input: value })
  }
})

export const account = z.extend(signUp, { role, password: explainedPassword })
export type Account = z.infer<typeof account>

export interface Accounts {
  /** The email counts as verified. Returns false if it is taken. */
  create(account: Account): Promise<boolean>
  /** Also ends the sessions of the account. Returns false if there is no such account. */
  setRole(email: string, role: Role): Promise<boolean>
  /** Replaces the linked contact with a new one. Returns false if there is no linked account with this email. */
  unlink(email: string): Promise<boolean>
  /** Clears the limits for failed sign-ins. Returns false if there is no such account. */
  unlock(email: string): Promise<boolean>
}

export interface AccountParts {
  db: Database
  passwords: { hash(password: string, queueKey: string): Promise<string> }
  links: Pick<Links, 'unlink'>
  calls: Pick<Calls, 'clearLimits' | 'endSignIns'>
}

export function accounts({ db, passwords, links, calls }: AccountParts): Accounts {
  return {
    create: async ({ password, ...person }) => {
      const passwordHash = await passwords.hash(password, person.email)
      return db.transaction().execute(async (tx) => {
        const id = await insertUser(tx, { ...person, passwordHash })
        const details = { role: person.role }
        if (id) await recordEvent(tx, { event: 'account_created', subjectId: id, details })
        return id !== undefined
      })
    },
    setRole: (email, newRole) =>
      db.transaction().execute(async (tx) => {
        const id = await setRole(tx, email, newRole)
        if (!id) return false
        await calls.endSignIns(tx, id)
        await recordEvent(tx, { event: 'role_changed', subjectId: id, details: { role: newRole } })
        return true
      }),
    unlink: (email) =>
      db.transaction().execute(async (tx) => {
        const id = await lockByEmail(tx, email)
        return id !== undefined && links.unlink(tx, id)
      }),
    unlock: (email) =>
      db.transaction().execute(async (tx) => {
        const found = await findCredentials(tx, email)
        if (!found) return false
        await recordEvent(tx, { event: 'account_unlocked', subjectId: found.id })
        await calls.clearLimits(tx, email)
        return true
      }),
  }
}
