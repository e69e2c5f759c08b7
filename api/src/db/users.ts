import type { Role, SignedInUser } from '@guidon/contract/account'
import { TEMPORARY_PASSWORD_HOURS } from '@guidon/contract/limits'
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

/** Ignores accounts with an unverified email, which an earlier release may have left. */
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
    .where('email_verified_at', 'is not', null)
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
      email_verified_at: now,
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
    .select([
      'role',
      sql<boolean>`password_expires_at is not null`.as('passwordIsTemporary'),
      sql<boolean>`email_verified_at is not null`.as('isVerified'),
    ])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

const contactColumns = (salesforceId: string, origin: 'linked' | 'created') => ({
  salesforce_id: salesforceId,
  ...(origin === 'linked' && { linked_at: now, unlinked_from: null }),
})

/** `linked`: the provider had the contact before; `created`: the portal created it for the account. */
export async function setSalesforceId(
  db: Queryable,
  id: string,
  salesforceId: string,
  origin: 'linked' | 'created',
): Promise<void> {
  await db
    .updateTable('users')
    .set(contactColumns(salesforceId, origin))
    .where('id', '=', id)
    .execute()
}

/** False if staff have set a contact meanwhile, which is kept. */
export async function setFirstSalesforceId(
  db: Queryable,
  id: string,
  salesforceId: string,
  origin: 'linked' | 'created',
): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set(contactColumns(salesforceId, origin))
    .where('id', '=', id)
    .where('salesforce_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Unlinks the account from its contact and folder, and remembers the contact. Undefined if it has none. */
export async function unlink(db: Queryable, email: string) {
  const { rows } = await sql<{ id: string; contact: string }>`
    update users set salesforce_id = null, linked_at = null, box_folder_id = null,
      unlinked_from = salesforce_id
    where email = ${email} and salesforce_id is not null
    returning id, unlinked_from as contact`.execute(db)
  return rows[0]
}

export async function findSalesforceId(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('salesforce_id as salesforceId')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.salesforceId ?? undefined
}

export async function findBySalesforceId(db: Queryable, salesforceId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('salesforce_id', '=', salesforceId)
    .executeTakeFirst()
}

export async function setBoxFolderId(db: Queryable, id: string, folderId: string): Promise<void> {
  await db.updateTable('users').set({ box_folder_id: folderId }).where('id', '=', id).execute()
}

/** The veteran's Box folder as the portal and as the mirrored contact have it. */
export async function findFolders(db: Queryable, id: string) {
  return db
    .selectFrom('users')
    .leftJoin('crm_contact', 'crm_contact.id', 'users.salesforce_id')
    .select([
      'users.salesforce_id as contactId',
      'users.box_folder_id as portalFolderId',
      'crm_contact.box_folder_id as crmFolderId',
    ])
    .where('users.id', '=', id)
    .executeTakeFirst()
}

export async function isLinked(db: Queryable, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('linked_at as linkedAt')
    .where('id', '=', id)
    .executeTakeFirst()
  return Boolean(row?.linkedAt)
}

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
      'salesforce_id as salesforceId',
      sql<boolean>`linked_at is not null`.as('linked'),
      'unlinked_from as unlinkedFrom',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function markEmailVerified(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .execute()
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
