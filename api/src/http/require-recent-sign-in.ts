import { signInAgain } from '@guidon/contract/auth'
import { RECENT_SIGN_IN_MINUTES } from '@guidon/contract/limits'
import type { Queryable } from '../db/database.ts'
import { isRecentSession } from '../db/sessions.ts'
import type { LiveSession } from '../db/sessions.ts'
import { refuse } from './refuse.ts'

/**
 * Refuses a session that was opened too long ago: whoever finds a screen unlocked must not decide who sees a case.
 * Signing in again opens a new session.
 */
export async function requireRecentSignIn(
  db: Queryable,
  { sessionId }: Pick<LiveSession, 'sessionId'>,
): Promise<void> {
  if (!(await isRecentSession(db, sessionId, RECENT_SIGN_IN_MINUTES))) throw refuse(signInAgain)
}
