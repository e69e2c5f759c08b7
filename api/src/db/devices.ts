import { now } from './database.ts'
import type { Queryable } from './database.ts'

/** Notes a device of the account; true where it was known already. */
export async function noteDevice(
  db: Queryable,
  device: { userId: string; tokenHash: Buffer },
): Promise<boolean> {
  const known = await db
    .updateTable('devices')
    .set({ seen_at: now })
    .where('user_id', '=', device.userId)
    .where('token_hash', '=', device.tokenHash)
    .returning('user_id')
    .executeTakeFirst()
  if (known) return true
  await db
    .insertInto('devices')
    .values({ user_id: device.userId, token_hash: device.tokenHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return false
}
