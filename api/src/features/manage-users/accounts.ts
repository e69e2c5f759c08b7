import { email, firstName, lastName, newPassword, phone, role } from '@guidon/contract/account'
import type { Role } from '@guidon/contract/account'
import * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import { revokeAllOf } from '../../db/sessions.ts'
import { insertUser, setRole } from '../../db/users.ts'

export const account = z.object({
  email,
  password: newPassword,
  firstName,
  lastName,
  phone,
  state: z.string().check(z.minLength(1, 'Please select a state')),
  role,
})
export type Account = z.infer<typeof account>

export interface Accounts {
  /** False where the email is taken already. The operator vouches for the email. */
  create(account: Account): Promise<boolean>
  /** Ends the account's sessions, so that the new role holds from the next request. False where there is no such account. */
  setRole(email: string, role: Role): Promise<boolean>
}

export function accounts(db: Database, hash: (password: string) => Promise<string>): Accounts {
  return {
    create: async ({ password, ...person }) => {
      const passwordHash = await hash(password)
      return (await insertUser(db, { ...person, passwordHash, emailVerified: true })) !== undefined
    },
    setRole: (address, newRole) =>
      db.transaction().execute(async (tx) => {
        const id = await setRole(tx, address, newRole)
        if (id) await revokeAllOf(tx, id)
        return id !== undefined
      }),
  }
}
