import { tooManyTries } from '@guidon/contract/auth'
import { REFRESHES_OF_ONE_TOKEN } from '@guidon/contract/limits'
import { noSession } from '@guidon/contract/refusal'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Tx } from '../../db/database.ts'
import { idForToken } from '../../db/days.ts'
import {
  insertSession,
  insertTokens,
  lockByRefresh,
  revokeByTokens,
  revokeSession,
  tokenState,
  unusedTokens,
  useToken,
} from '../../db/sessions.ts'
import type { NewSession } from '../../db/sessions.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'

export interface Sessions {
  open(tx: Tx, user: NewSession, pair: SessionTokens): Promise<void>
  /**
   * Returns new tokens. The first use of a refresh token retires all others of its session. A retired one ends the
   * session, because it was copied or replayed.
   */
  refresh(refreshToken: string | undefined): Promise<SessionTokens>
  end(tokens: Partial<SessionTokens>, tx?: Tx): Promise<void>
}

export function sessions(db: Database, tokens: Tokens): Sessions {
  const newPair = () => {
    const at = Date.now()
    return { access: tokens.makeDated(at), refresh: tokens.makeDated(at) }
  }
  const rowOf = ({ access, refresh }: SessionTokens) => ({
    tokenId: idForToken(access),
    accessHash: tokens.hash('access', access),
    refreshHash: tokens.hash('refresh', refresh),
  })

  /** A client may repeat a refresh whose response was lost. Each repeat inserts a row, so their number is limited. */
  const limitRepeats = async (tx: Tx, sessionId: string) => {
    const { count, firstExpiresInSeconds } = await unusedTokens(tx, sessionId)
    if (Number(count) < REFRESHES_OF_ONE_TOKEN) return
    throw refuse(tooManyTries(firstExpiresInSeconds), { retryAfterSeconds: firstExpiresInSeconds })
  }

  return {
    open: async (tx, user, pair) => {
      await insertSession(tx, { ...user, ...rowOf(pair) })
    },

    refresh: async (refreshToken) => {
      if (!refreshToken) throw refuse(noSession)
      const refreshed = await db.transaction().execute(async (tx) => {
        const locked = await lockByRefresh(tx, tokens.searchFor('refresh', refreshToken))
        if (!locked) return undefined
        const { usedAt, retiredAt } = await tokenState(tx, locked.tokenId)
        if (retiredAt) {
          await revokeSession(tx, locked.sessionId)
          await recordEvent(tx, { event: 'session_revoked_by_replay', subjectId: locked.userId })
          return undefined
        }
        if (usedAt) await limitRepeats(tx, locked.sessionId)
        else await useToken(tx, locked)
        const pair = newPair()
        await insertTokens(tx, { sessionId: locked.sessionId, ...rowOf(pair) })
        return pair
      })
      if (!refreshed) throw refuse(noSession)
      return refreshed
    },

    end: async ({ access, refresh }, outerTx) => {
      const hashes = [
        ...(access ? tokens.hashes('access', access) : []),
        ...(refresh ? tokens.hashes('refresh', refresh) : []),
      ]
      if (hashes.length === 0) return
      const revoke = async (tx: Tx) => {
        for (const userId of await revokeByTokens(tx, hashes)) {
          await recordEvent(tx, { event: 'signed_out', actorId: userId, subjectId: userId })
        }
      }
      await (outerTx ? revoke(outerTx) : db.transaction().execute(revoke))
    },
  }
}
