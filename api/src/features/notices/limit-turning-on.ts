import { tooManyTries } from '@guidon/contract/auth'
import { NOTICES_ON_A_DAY, NOTICES_ON_BY_LINK_AN_HOUR } from '@guidon/contract/limits'
import type { Database } from '../../db/database.ts'
import { secondsToWait, take } from '../../db/limits.ts'
import type { Window } from '../../db/limits.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { readNoticeToken } from './link.ts'

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Refuses to turn notices on if the account's limit is reached. */
export interface LimitTurningOn {
  bySession(userId: string): Promise<void>
  byLink(token: string): Promise<void>
}

/**
 * An account, or someone with a forwarded email, could change its switches for ever, and each change stays in the audit log.
 * Turning off is never refused: repeated, it changes nothing and is not logged.
 */
export function limitTurningOn(db: Database, tokens: Tokens): LimitTurningOn {
  const takeOrRefuse = async (name: string, userId: string, limit: Omit<Window, 'key'>) => {
    const window = { ...limit, key: tokens.hash('limit', `${name}\0${userId}`) }
    if (await take(db, window)) return
    const retryAfterSeconds = await secondsToWait(db, [window])
    throw refuse(tooManyTries(retryAfterSeconds), { retryAfterSeconds })
  }
  const aDay = { max: NOTICES_ON_A_DAY, seconds: DAY_SECONDS }
  const anHour = { max: NOTICES_ON_BY_LINK_AN_HOUR, seconds: HOUR_SECONDS }
  return {
    bySession: (userId) => takeOrRefuse('notices', userId, aDay),
    byLink: async (token) => {
      const target = readNoticeToken(tokens, token)
      if (target) await takeOrRefuse('notices by link', target.userId, anHour)
    },
  }
}
