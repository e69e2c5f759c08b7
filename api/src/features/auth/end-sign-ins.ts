import type { Tx } from '../../db/database.ts'
import { revokeAllOf } from '../../db/sessions.ts'
import { endChallengesOf } from './challenges.sql.ts'
import { voidResetTokens } from './reset-tokens.sql.ts'

export async function endSignInsOf(tx: Tx, userId: string, exceptSession?: string): Promise<void> {
  await revokeAllOf(tx, userId, exceptSession)
  await endChallengesOf(tx, userId)
  await voidResetTokens(tx, userId)
}
