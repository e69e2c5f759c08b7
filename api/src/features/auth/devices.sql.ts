import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { now } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

interface Devices {
  user_id: string
  token_hash: Buffer
  seen_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    devices: Devices
  }
}

/**
 * Stores a device of the account and returns whether it was known. `tokenHashes` has one hash of the device's token for
 * each key of the server, the current key first. A device stored with an older key is stored again with the current one,
 * so that it stays known when the older key is removed.
 */
export async function recordDevice(
  db: Queryable,
  device: { userId: string; tokenHashes: Buffer[] },
): Promise<boolean> {
  const { userId, tokenHashes } = device
  const known = await db
    .updateTable('devices')
    .set({ seen_at: now })
    .where('user_id', '=', userId)
    .where(sql<boolean>`token_hash = any(${tokenHashes}::bytea[])`)
    .returning('token_hash as tokenHash')
    .execute()
  const first = tokenHashes[0]!
  if (known.some(({ tokenHash }) => tokenHash.equals(first))) return true
  await db
    .insertInto('devices')
    .values({ user_id: userId, token_hash: first })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return known.length > 0
}

export async function isKnownDevice(
  db: Queryable,
  device: { email: string; tokenHashes: Buffer[] },
): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .innerJoin('users', 'users.id', 'devices.user_id')
    .select('users.id')
    .where('users.email', '=', device.email)
    .where(sql<boolean>`devices.token_hash = any(${device.tokenHashes}::bytea[])`)
    .executeTakeFirst()
  return row !== undefined
}
