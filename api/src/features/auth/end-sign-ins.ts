import type { Tx } from '../../db/database.ts'
import { revokeAllOf } from '../../db/sessions.ts'
import { endChallengesOf } from './challenges.sql.ts'
import { voidResetTokens } from './reset-tokens.sql.ts'

/** Ends an account's sessions, sign-ins that wait for a code, and reset links, after its password, role or state changed. */
export async function endSignInsOf(tx: Tx, userId: string, exceptSession?: string): Promise<void> {
  await revokeAllOf(tx, userId, exceptSession)
  await endChallengesOf(tx, userId)
  await voidResetTokens(tx, userId)
}
