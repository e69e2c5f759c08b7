import type { IntakeStep } from '@guidon/contract/intake'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { now } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import type { Sealed } from '../../platform/crypto/sealer.ts'

interface Intakes {
  id: Generated<string>
  user_id: string
  key_id: string
  sealed: Buffer
  step: IntakeStep
  version: number
  revision: Generated<number>
  saved_at: Generated<Date>
  submitted_at: Date | null
}

declare module '../../db/schema.ts' {
  interface Schema {
    intakes: Intakes
  }
}

export interface IntakeContent {
  keyId: string
  sealed: Buffer
  step: IntakeStep
  version: number
  submitted: boolean
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'key_id as keyId',
  'sealed',
  'step',
  'version',
  'saved_at as savedAt',
  'submitted_at as submittedAt',
] as const

export type IntakeRow = NonNullable<Awaited<ReturnType<typeof findIntakeOf>>>

export async function findIntakeOf(db: Queryable, userId: string) {
  return db.selectFrom('intakes').select(COLUMNS).where('user_id', '=', userId).executeTakeFirst()
}

export async function findIntake(db: Queryable, id: string): Promise<IntakeRow | undefined> {
  return db.selectFrom('intakes').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function lockIntakeOf(tx: Tx, userId: string): Promise<IntakeRow | undefined> {
  return tx
    .selectFrom('intakes')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

const columnsOf = (content: IntakeContent) => ({
  key_id: content.keyId,
  sealed: content.sealed,
  step: content.step,
  version: content.version,
  saved_at: now,
  submitted_at: content.submitted ? now : null,
})

/** Returns undefined if the veteran has an intake already. */
export async function insertIntake(
  tx: Tx,
  userId: string,
  content: IntakeContent,
): Promise<IntakeRow | undefined> {
  return tx
    .insertInto('intakes')
    .values({ user_id: userId, ...columnsOf(content) })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function updateIntake(tx: Tx, id: string, content: IntakeContent): Promise<IntakeRow> {
  return tx
    .updateTable('intakes')
    .set({ ...columnsOf(content), revision: sql<number>`revision + 1` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function lockIntakesOfKeys(tx: Tx, keyIds: string[], limit: number) {
  return tx
    .selectFrom('intakes')
    .select(['id', 'user_id as userId', 'key_id as keyId', 'sealed as bytes'])
    .where(sql<boolean>`key_id = any(${keyIds})`)
    .limit(limit)
    .forUpdate()
    .execute()
}

/** Leaves `saved_at` as it is, because the content is the same. */
export async function updateSealed(tx: Tx, id: string, { keyId, bytes }: Sealed): Promise<void> {
  await tx
    .updateTable('intakes')
    .set({ key_id: keyId, sealed: bytes })
    .where('id', '=', id)
    .execute()
}
