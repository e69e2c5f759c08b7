import type { Database } from '../db/database.ts'
import type { EmailMessage, Mail, MailOutcome } from './port.ts'
import { recordSent, wasSent } from './sent-mails.sql.ts'

/** What to send and to whom, or why nothing is to be sent. */
export type Prepared = { to: string; message: EmailMessage } | MailOutcome

export type SendOnce = (jobId: string, prepare: () => Promise<Prepared>) => Promise<MailOutcome>

/**
 * A job may be delivered again after its worker died. Only between the relay's yes and our note of it can the
 * mail go out again, and then word for word with the same Message-ID. `prepare` runs at each try that has not
 * sent yet, so that what it makes valid is valid from the moment of sending.
 */
export function sendOnce(db: Database, mail: Mail): SendOnce {
  return async (jobId, prepare) => {
    if (await wasSent(db, jobId)) return 'sent'
    const prepared = await prepare()
    if (typeof prepared === 'string') return prepared
    await mail.send(prepared.to, prepared.message, jobId)
    await recordSent(db, jobId)
    return 'sent'
  }
}
