import {
  HAND_OFF_TRIES,
  handOffGone,
  handOffTooManyTries,
  handOffUsed,
} from '@guidon/contract/hand-off'
import type { Database } from '../../../db/database.ts'
import { refuse } from '../../../http/refuse.ts'
import type { Tokens } from '../../../platform/tokens.ts'
import type { Calls } from '../../feature.ts'
import { markArrived, startSending, stopSending } from './hand-offs.sql.ts'

/** For the feature that receives files. */
export function handOffUploads(db: Database, tokens: Pick<Tokens, 'hashes'>): Calls['withHandOff'] {
  return async (phoneToken, send) => {
    const started = await startSending(db, tokens.hashes('phone', phoneToken))
    if (!started) throw refuse(handOffGone)
    const { userId, id, documentType, requestId, receivedSha256, tries } = started
    /** Accepts the same file again and refuses any other. */
    const refuseOther = (arrived: Buffer, sent: Buffer) => {
      if (!arrived.equals(sent)) throw refuse(handOffUsed)
    }
    try {
      if (tries > HAND_OFF_TRIES) throw refuse(handOffTooManyTries)
      await send({
        userId,
        handOffId: id,
        documentType,
        documentId: requestId ?? undefined,
        hasArrived: (sha256) => {
          if (!receivedSha256) return false
          refuseOther(receivedSha256, sha256)
          return true
        },
        markArrived: async (tx, documentId, sha256) => {
          const arrived = await markArrived(tx, started, { documentId, sha256 })
          if (!arrived) throw refuse(handOffGone)
          refuseOther(arrived, sha256)
        },
      })
    } finally {
      await stopSending(db, started)
    }
  }
}
