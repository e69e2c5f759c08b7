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
  terms_version: string
  terms_accepted_at: Generated<Date>
  /** Null if the previous release stored the row. */
  consents: ConsentText[] | null
  created_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    sign_ups: SignUps
  }
}

type NewSignUp = Omit<NewUser, 'role'> & { consents: readonly ConsentText[] }

/**
 * The account with the email of a sign-up. Unverified rows of the previous release do not count as accounts,
 * unless staff deactivated them.
 */
const EXISTING_ACCOUNT = sql.raw(`from users where users.email = sign_ups.email
  and (users.email_verified_at is not null or not users.is_active)`)

/** Stored if the terms changed while the page was open. Not a current version, so the person must accept the terms. */
const CHANGED_TERMS = 'unknown'

/** Always inserts one row, so that the response time does not reveal whether the email is taken. */
export async function insertSignUp(
  db: Queryable,
  row: NewSignUp,
): Promise<{ id: string; existingAccountId: string | null }> {
  // The previous release reads `terms_version`, not `consents`.
  const terms = row.consents.find(({ kind }) => kind === 'terms')
  const termsVersion = terms?.version ?? CHANGED_TERMS
  const { rows } = await sql<{ id: string; existingAccountId: string | null }>`
    insert into sign_ups (email, password_hash, first_name, last_name, phone, state, terms_version,
      consents)
    values (${row.email}, ${row.passwordHash}, ${row.firstName}, ${row.lastName}, ${row.phone},
      ${row.state}, ${termsVersion}, ${JSON.stringify(row.consents)})
    returning id, (select users.id ${EXISTING_ACCOUNT}) as "existingAccountId"`.execute(db)
  return rows[0]!
}

export const emailIsTaken = sql<boolean>`exists (select ${EXISTING_ACCOUNT})`

/**
 * Turns the sign-up into an account with the same id, or overwrites an unverified row of the previous release
 * with this email. Returns undefined if the email got an account meanwhile.
 */
export async function promoteSignUp(
  tx: Tx,
  id: string,
): Promise<{ userId: string; role: Role } | undefined> {
  const { rows } = await sql<{ userId: string; role: Role }>`
    insert into users as existing (id, email, password_hash, first_name, last_name, phone, state, role,
      terms_version, terms_accepted_at, email_verified_at)
    select id, email, password_hash, first_name, last_name, phone, state, 'USER',
      terms_version, terms_accepted_at, now()
    from sign_ups where id = ${id}
    on conflict (email) do update set password_hash = excluded.password_hash,
      password_expires_at = null, first_name = excluded.first_name, last_name = excluded.last_name,
      phone = excluded.phone, state = excluded.state, terms_version = excluded.terms_version,
      terms_accepted_at = excluded.terms_accepted_at, email_verified_at = excluded.email_verified_at
    where existing.email_verified_at is null and existing.is_active
    returning id as "userId", role`.execute(tx)
  return rows[0]
}

/** What the person accepted with the sign-up. None if the previous release stored it. */
export async function acceptedWith(
  tx: Tx,
  id: string,
): Promise<{ consents: readonly ConsentText[]; acceptedAt: Date }> {
  const row = await tx
    .selectFrom('sign_ups')
    .select(['consents', 'terms_accepted_at as acceptedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, consents: row.consents ?? [] }
}

/** Deletes the sign-up and assigns its challenge to the account. */
export async function closeSignUp(tx: Tx, id: string, userId: string): Promise<void> {
  await tx
    .updateTable('challenges')
    .set({ user_id: userId, sign_up_id: null })
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
