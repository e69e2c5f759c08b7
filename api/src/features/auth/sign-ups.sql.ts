import type { Role } from '@guidon/contract/account'
import type { ConsentText } from '@guidon/contract/legal'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'
import type { NewUser } from '../../db/users.ts'

/** Sign-ups with an unverified email. They are not accounts yet. */
interface SignUps {
  id: Generated<string>
  email: string
  password_hash: string
  first_name: string
  last_name: string
  phone: string
  state: string
  consents: ConsentText[]
  created_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    sign_ups: SignUps
  }
}

type NewSignUp = Omit<NewUser, 'role'> & { consents: readonly ConsentText[] }

const EXISTING_ACCOUNT = sql.raw('from users where users.email = sign_ups.email')

/** Always inserts one row, so that the response time does not reveal whether the email is taken. */
export async function insertSignUp(
  db: Queryable,
  row: NewSignUp,
): Promise<{ id: string; existingAccountId: string | null }> {
  const { rows } = await sql<{ id: string; existingAccountId: string | null }>`
    insert into sign_ups (email, password_hash, first_name, last_name, phone, state, consents)
    values (${row.email}, ${row.passwordHash}, ${row.firstName}, ${row.lastName}, ${row.phone},
      ${row.state}, ${JSON.stringify(row.consents)})
    returning id, (select users.id ${EXISTING_ACCOUNT}) as "existingAccountId"`.execute(db)
  return rows[0]!
}

export const emailIsTaken = sql<boolean>`exists (select ${EXISTING_ACCOUNT})`

/** Turns the sign-up into an account with the same id. Returns undefined if the email got an account meanwhile. */
export async function promoteSignUp(
  tx: Tx,
  id: string,
): Promise<{ userId: string; role: Role } | undefined> {
  const { rows } = await sql<{ userId: string; role: Role }>`
    insert into users (id, email, password_hash, first_name, last_name, phone, state, role, signed_up_at)
    select id, email, password_hash, first_name, last_name, phone, state, 'USER', created_at
    from sign_ups where id = ${id}
    on conflict (email) do nothing
    returning id as "userId", role`.execute(tx)
  return rows[0]
}

/** What the person accepted with the sign-up. */
export async function acceptedWith(tx: Tx, id: string) {
  return tx
    .selectFrom('sign_ups')
    .select(['consents', 'created_at as acceptedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Deletes the sign-up and assigns its challenge to the account, which has its id. */
export async function closeSignUp(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('challenges')
    .set({ user_id: id, sign_up_id: null })
    .where('sign_up_id', '=', id)
    .execute()
  await tx.deleteFrom('sign_ups').where('id', '=', id).execute()
}

export async function deleteSignUps(
  tx: Tx,
  email: string,
): Promise<{ ids: string[]; challengeIds: string[] }> {
  const challenges = await tx
    .selectFrom('challenges')
    .innerJoin('sign_ups', 'sign_ups.id', 'challenges.sign_up_id')
    .select('challenges.id')
    .where('sign_ups.email', '=', email)
    .execute()
  const deleted = await tx
    .deleteFrom('sign_ups')
    .where('email', '=', email)
    .returning('id')
    .execute()
  return { ids: deleted.map(({ id }) => id), challengeIds: challenges.map(({ id }) => id) }
}
