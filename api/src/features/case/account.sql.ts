import type { Role } from '@guidon/contract/account'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

const selectAccount = statement<{ id: string; role: Role }>(
  `select id, role from users where id = $1`,
)

export async function findAccount(db: Queryable, id: string) {
  const [account] = await selectAccount(db, id)
  return account
}
