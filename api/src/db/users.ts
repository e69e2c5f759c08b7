import type { Role, SignedInUser } from '@guidon/contract/account'
import { now } from './database.ts'
import type { Queryable } from './database.ts'

export interface NewUser {
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  phone: string
  state: string
  role: Role
  emailVerified: boolean
}

export type Credentials = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

export async function findCredentials(db: Queryable, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'role', 'password_hash as passwordHash', 'is_active as isActive'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/** The new id, or undefined where the email is taken. */
export async function insertUser(db: Queryable, user: NewUser): Promise<string | undefined> {
  const row = await db
    .insertInto('users')
    .values({
      email: user.email,
      password_hash: user.passwordHash,
      first_name: user.firstName,
      last_name: user.lastName,
      phone: user.phone,
      state: user.state,
      role: user.role,
      email_verified_at: user.emailVerified ? now : null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function markEmailVerified(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .execute()
}

/** The id of the changed account, or undefined where there is none. */
export async function setRole(
  db: Queryable,
  email: string,
  role: Role,
): Promise<string | undefined> {
  const row = await db
    .updateTable('users')
    .set({ role })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export interface Person extends SignedInUser {
  id: string
}
