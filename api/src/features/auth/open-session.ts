import type { Role } from '@guidon/contract/account'
import { recordEvent } from '../../db/audit-events.ts'
import type { Tx } from '../../db/database.ts'
import type { SessionTokens } from '../../http/cookies.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { recordDevice } from './devices.sql.ts'
import { sendNotice } from './send-notice.ts'
import type { Sessions } from './sessions.ts'

export interface OpenedSession {
  tokens: SessionTokens
  /** For the device's cookie: what it had, or a new one. */
  device: string
  /** Whether the account belongs to someone whom the provider knew before. */
  linked: boolean
}

/** What else is done for whoever arrives, in the same transaction. Answers whether they are linked. */
export type OnSignedIn = (tx: Tx, person: { userId: string; role: Role }) => Promise<boolean>

/** What follows a right code: a session, and a note of the device it was entered on. */
export type OpenSession = (
  tx: Tx,
  person: { userId: string; role: Role },
  device: string | undefined,
  newDevice: 'tell of a new device' | 'is their first',
) => Promise<OpenedSession>

export interface OpenSessionParts {
  sessions: Pick<Sessions, 'open'>
  tokens: Tokens
  jobs: Jobs
  onSignedIn: OnSignedIn
}

export function openSession({ sessions, tokens, jobs, onSignedIn }: OpenSessionParts): OpenSession {
  return async (tx, person, presented, newDevice) => {
    const { userId } = person
    const device = presented ?? tokens.make()
    const known = await recordDevice(tx, { userId, tokenHashes: tokens.hashes('device', device) })
    if (!known && newDevice === 'tell of a new device') {
      await recordEvent(tx, {
        event: 'signed_in_on_new_device',
        actorId: userId,
        subjectId: userId,
      })
      await jobs.send(sendNotice, { userId, notice: 'new-device' }, tx)
    }
    const linked = await onSignedIn(tx, person)
    return { tokens: await sessions.open(tx, person), device, linked }
  }
}
