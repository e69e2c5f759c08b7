import type { Tx } from '../../db/database.ts'
import { revokeAllOf } from '../../db/sessions.ts'
import { endChallengesOf } from './challenges.sql.ts'
import { voidResetTokens } from './reset-tokens.sql.ts'

/**
 * Ends everything that was begun with the password, role or state that an account had until now: its
 * sessions, except the one that made the change, its sign-ins that wait for a code, and its reset links.
 */
export async function endSignInsOf(tx: Tx, userId: string, exceptSession?: string): Promise<void> {
  await revokeAllOf(tx, userId, exceptSession)
  await endChallengesOf(tx, userId)
  await voidResetTokens(tx, userId)
}
