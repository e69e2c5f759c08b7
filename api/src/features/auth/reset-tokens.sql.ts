import { RESET_TOKEN_MINUTES } from '@guidon/contract/limits'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { minutesFromNow, now } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'
import { REPEAT_SECONDS } from '../../platform/repeat.ts'

interface ResetTokens {
  token_hash: Buffer
  user_id: string
  expires_at: Date
  used_at: Date | null
  created_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    reset_tokens: ResetTokens
  }
}

/**
 * Called right before each try to send, so that a delayed link does not arrive expired. Returns false if the
 * token was voided meanwhile.
 */
export async function insertResetToken(
  db: Queryable,
  token: { tokenHash: Buffer; userId: string },
): Promise<boolean> {
  const row = await db
    .insertInto('reset_tokens')
    .values({
      token_hash: token.tokenHash,
      user_id: token.userId,
      expires_at: minutesFromNow(RESET_TOKEN_MINUTES),
    })
    .onConflict((conflict) =>
      conflict
        .column('token_hash')
        .doUpdateSet({ expires_at: minutesFromNow(RESET_TOKEN_MINUTES) })
        .where('reset_tokens.used_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

const validTokens = (db: Queryable, tokenHashes: Buffer[]) =>
  db
    .selectFrom('reset_tokens')
    .innerJoin('users', 'users.id', 'reset_tokens.user_id')
    .where(sql<boolean>`reset_tokens.token_hash = any(${tokenHashes}::bytea[])`)
    .where('reset_tokens.used_at', 'is', null)
    .where('reset_tokens.expires_at', '>', now)
    .where('users.is_active', '=', true)

export async function ownerOfResetToken(db: Queryable, tokenHashes: Buffer[]) {
  return validTokens(db, tokenHashes)
    .select([
      'users.id',
      'users.email',
      'users.role',
      'users.first_name as firstName',
      'users.last_name as lastName',
    ])
    .executeTakeFirst()
}

/** Of a token that was used a moment ago. */
export async function ownerOfUsedResetToken(db: Queryable, tokenHashes: Buffer[]) {
  return db
    .selectFrom('reset_tokens')
    .innerJoin('users', 'users.id', 'reset_tokens.user_id')
    .select(['users.id', 'users.password_hash as passwordHash'])
    .where(sql<boolean>`reset_tokens.token_hash = any(${tokenHashes}::bytea[])`)
    .where(sql<boolean>`reset_tokens.used_at > now() - make_interval(secs => ${REPEAT_SECONDS})`)
    .where('users.is_active', '=', true)
    .executeTakeFirst()
}

/** Voids all tokens of the account. Of concurrent calls exactly one returns true. */
export async function useResetToken(db: Queryable, tokenHashes: Buffer[]): Promise<boolean> {
  const used = await db
    .updateTable('reset_tokens')
    .set({ used_at: now })
    .where('token_hash', 'in', validTokens(db, tokenHashes).select('reset_tokens.token_hash'))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (!used) return false
  await voidResetTokens(db, used.user_id)
  return true
}

export async function voidResetTokens(db: Queryable, userId: string): Promise<void> {
  await db
    .updateTable('reset_tokens')
    .set({ used_at: sql<Date>`coalesce(used_at, now())` })
    .where('user_id', '=', userId)
    .execute()
}
