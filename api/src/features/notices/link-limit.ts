import { tooManyTries } from '@guidon/contract/auth'
import { NOTICES_ON_BY_LINK_AN_HOUR } from '@guidon/contract/limits'
import type { Database } from '../../db/database.ts'
import { secondsToWait, take } from '../../db/limits.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { readNoticeToken } from './link.ts'

const HOUR_SECONDS = 60 * 60

/** Refuses to turn notices on by the link in an email, if the account's limit is reached. */
export type LimitTurningOn = (token: string) => Promise<void>

/**
 * Someone with a forwarded email could change its switches for ever, and each change stays in the audit log. Turning off is
 * never refused: repeated, it changes nothing and is not logged.
 */
export function limitTurningOn(db: Database, tokens: Tokens): LimitTurningOn {
  return async (token) => {
    const target = readNoticeToken(tokens, token)
    if (!target) return
    const window = {
      key: tokens.hash('limit', `notices by link\0${target.userId}`),
      max: NOTICES_ON_BY_LINK_AN_HOUR,
      seconds: HOUR_SECONDS,
    }
    if (await take(db, window)) return
    const retryAfterSeconds = await secondsToWait(db, [window])
    throw refuse(tooManyTries(retryAfterSeconds), { retryAfterSeconds })
  }
}
