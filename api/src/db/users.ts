import type { Role, SignedInUser } from '@guidon/contract/account'
import { TEMPORARY_PASSWORD_HOURS } from '@guidon/contract/limits'
import type { Address } from '@guidon/contract/profile'
import { sql } from 'kysely'
import { minutesFromNow, now } from './database.ts'
import type { Queryable, Tx } from './database.ts'

export interface NewUser {
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  phone: string
  state: string
  role: Role
}

export function selectCredentials(db: Queryable, email: string) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'role',
      'password_hash as passwordHash',
      'is_active as isActive',
      sql<boolean>`coalesce(password_expires_at <= now(), false)`.as('passwordHasExpired'),
    ])
    .where('email', '=', email)
}

export type Credentials = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

export function findCredentials(db: Queryable, email: string) {
  return selectCredentials(db, email).executeTakeFirst()
}

/** Returns the new id, or undefined if the email is taken. */
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
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function findPerson(db: Queryable, id: string) {
  return db
    .selectFrom('users')
    .select(['email', 'first_name as firstName', 'last_name as lastName', 'phone', 'state'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
}

/** Not part of `findPerson`, so that the hash is not passed around with contact details. */
export async function findPasswordHash(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash as passwordHash')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return row?.passwordHash
}

/** Stores the same password with a newer pepper, unless the password was changed meanwhile. */
export async function renewPasswordHash(
  db: Queryable,
  { id, passwordHash }: { id: string; passwordHash: string },
  newHash: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .execute()
}

export async function setPassword(db: Queryable, id: string, passwordHash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_expires_at: null })
    .where('id', '=', id)
    .execute()
}

/** False if the password has changed since it was verified, or the account is deactivated. */
export async function replacePassword(
  db: Queryable,
  id: string,
  verifiedHash: string,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_expires_at: null })
    .where('id', '=', id)
    .where('password_hash', '=', verifiedHash)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function setTemporaryPassword(
  db: Queryable,
  id: string,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      password_expires_at: minutesFromNow(TEMPORARY_PASSWORD_HOURS * 60),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Locks the account until the transaction ends, so that no session survives a concurrent deactivation, change of
 * role or new password. Lock it before the account's challenges and tokens, to avoid deadlocks.
 */
export async function lockAccount(tx: Tx, id: string) {
  return tx
    .selectFrom('users')
    .select(['role', sql<boolean>`password_expires_at is not null`.as('passwordIsTemporary')])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The veteran's Box folder as the portal and as the mirrored contact have it. */
export async function findFolders(db: Queryable, id: string) {
  return db
    .selectFrom('users')
    .leftJoin('links', (join) =>
      join.onRef('links.user_id', '=', 'users.id').on('links.state', '=', 'live'),
    )
    .leftJoin('case_contact', 'case_contact.user_id', 'users.id')
    .select([
      'links.contact_id as contactId',
      'users.box_folder_id as portalFolderId',
      'case_contact.box_folder_id as crmFolderId',
    ])
    .where('users.id', '=', id)
    .executeTakeFirst()
}

/** What the CRM gets of an account. */
export async function findForCrm(db: Queryable, id: string) {
  return db
    .selectFrom('users')
    .select([
      'id as userId',
      'email',
      'first_name as firstName',
      'last_name as lastName',
      'phone',
      'state',
      'address',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function setAddress(tx: Tx, id: string, address: Address): Promise<void> {
  await tx
    .updateTable('users')
    .set({ address: JSON.stringify(address), address_said_at: now })
    .where('id', '=', id)
    .execute()
}

/** What the rule compares with a contact. */
export async function findForLink(db: Queryable, id: string) {
  return db
    .selectFrom('users')
    .select(['id as userId', 'email', 'last_name as lastName', 'phone', 'is_active as isActive'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks an account. Returns its id. */
export async function lockByEmail(tx: Tx, email: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.id
}

/** Locks these accounts in the order in which all transactions lock accounts. */
export async function lockUsers(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`select from users where id = any(${ids}::uuid[]) order by id for no key update`.execute(
    tx,
  )
}

/** Returns the id of the account, or undefined if there is none. */
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

export interface SessionUser extends SignedInUser {
  id: string
}

/** Until the transaction ends, nothing else changes the account. */
export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

/** False if the account is already inactive, or deleted. */
export async function deactivate(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function reactivate(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('users').set({ is_active: true }).where('id', '=', id).execute()
}
