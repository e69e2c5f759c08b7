import type { Database } from '../db/database.ts'
import { recordSent, wasSent } from '../db/sent-mails.ts'
import type { Letter, Mail } from './port.ts'

export type SendOnce = (jobId: string, to: string, letter: Letter) => Promise<void>

/**
 * A job may be delivered again after its worker died. Only in the moment between the relay's yes and our
 * note of it can the letter go out again, and then word for word with the same Message-ID.
 */
export function sendOnce(db: Database, mail: Mail): SendOnce {
  return async (jobId, to, letter) => {
    if (await wasSent(db, jobId)) return
    await mail.send(to, letter, jobId)
    await recordSent(db, jobId)
  }
}
