import type { Role } from '@guidon/contract/account'
import type { Legal } from '@guidon/contract/legal'
import { recordEvent } from '../../db/audit-events.ts'
import type { Tx } from '../../db/database.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { isReachable } from '../../mail/deliveries.sql.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { Calls } from '../feature.ts'
import type { PresentedChallenge } from './challenge.ts'
import { derivedTokens } from './derived-tokens.ts'
import { recordDevice } from './devices.sql.ts'
import { sendNotice } from './send-notice.ts'
import type { Sessions } from './sessions.ts'

export interface OpenedSession {
  tokens: SessionTokens
  /** The token for the device cookie: the presented one, or a new one. */
  device: string
  /** Whether the account is linked to a contact that the provider had before; `pending`: not decided yet. */
  linked: boolean | 'pending'
}

/** Opens a session after a right code, ends the one that the browser had, and stores the device. */
export type OpenSession = (
  tx: Tx,
  user: { userId: string; role: Role },
  presented: PresentedChallenge,
  newDevice: 'notify of a new device' | 'first device',
) => Promise<OpenedSession>

export interface OpenSessionParts {
  sessions: Pick<Sessions, 'open' | 'end'>
  tokens: Tokens
  jobs: Jobs
  calls: Pick<Calls, 'onSignedIn' | 'onSignedUp' | 'areConsentsDue'>
  legal: Legal
}

export function openSession(parts: OpenSessionParts): OpenSession {
  const { sessions, tokens, jobs, calls, legal } = parts
  return async (tx, user, presented, newDevice) => {
    const { userId } = user
    const { session: pair, device } = derivedTokens(tokens, presented)
    const known = await recordDevice(tx, { userId, tokenHashes: tokens.hashes('device', device) })
    if (!known && newDevice === 'notify of a new device') {
      await recordEvent(tx, {
        event: 'signed_in_on_new_device',
        actorId: userId,
        subjectId: userId,
      })
      await jobs.send(sendNotice, { userId, notice: 'new-device' }, tx)
    }
    const isSignUp = newDevice === 'first device'
    const linked = await (isSignUp ? calls.onSignedUp : calls.onSignedIn)(tx, user)
    const consentsDue = user.role === 'USER' && (await calls.areConsentsDue(tx, userId, legal))
    const emailReachable = await isReachable(tx, userId)
    const session = { ...user, consentsDue, emailReachable }
    // A repeated request does not come here, so it cannot end the session that it has opened.
    await sessions.end(presented.session, tx)
    await sessions.open(tx, session, pair)
    return { tokens: pair, device, linked }
  }
}
