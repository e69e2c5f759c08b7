import type { Role } from '@guidon/contract/account'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

/** Leaves out unverified sign-ups, which an earlier release stored in the same table. */
const selectAccount = statement<{ id: string; role: Role }>(
  `select id, role from users where id = $1 and email_verified_at is not null`,
)

export async function findAccount(db: Queryable, id: string) {
  const [account] = await selectAccount(db, id)
  return account
}
