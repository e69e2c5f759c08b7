import type { Database } from '../../db/database.ts'
import { findByAccess } from '../../db/sessions.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { PresentedChallenge } from './challenge.ts'

interface DerivedTokens {
  session: SessionTokens
  /** For the device cookie: the presented one, or a new one. */
  device: string
  /** To set a new password after a temporary one. */
  reset: string
}

/**
 * What a right code is exchanged for. Derived from the challenge, so that a request that is repeated because its
 * response was lost gets the same tokens, and not a second session.
 */
export function derivedTokens(
  tokens: Pick<Tokens, 'derive' | 'deriveDated'>,
  { token, client }: PresentedChallenge,
): DerivedTokens {
  const subject = (use: string) => `${use} of challenge\0${token}`
  // With the day of the challenge, also if it is solved or repeated after midnight.
  const dated = (use: string) => tokens.deriveDated(subject(use), token)
  return {
    session: { access: dated('access'), refresh: dated('refresh') },
    device: client.device ?? tokens.derive(subject('device')),
    reset: tokens.derive(subject('reset')),
  }
}

/** The session that an earlier request with this challenge has opened, if it still has its first tokens. */
export async function findOpened(db: Database, tokens: Tokens, presented: PresentedChallenge) {
  const { session, device } = derivedTokens(tokens, presented)
  const search = tokens.searchFor('access', session.access)
  const live = await findByAccess(db, search, { countsAsUse: false })
  return live && { user: live.user, tokens: session, device }
}
