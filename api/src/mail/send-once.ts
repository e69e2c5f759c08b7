import type { Database } from '../db/database.ts'
import { retryWhileUnavailable } from '../db/retry.ts'
import { recordRefused, recordSentToAccount } from './deliveries.sql.ts'
import type { About } from './deliveries.sql.ts'
import { MailRefused } from './port.ts'
import type { EmailMessage, Mail, MailOutcome } from './port.ts'
import { recordSent, wasSent } from './sent-mails.sql.ts'

/** How many jobs of one queue that sends email a worker runs at the same time. */
export const EMAIL_CONCURRENCY = 5

/** Longer than a database failover, and less than a job may take. */
const RECORD_SECONDS = 60

/** Of jobs that send an email without a deadline: the retries are enough for an outage of a day. */
export const EMAIL_JOB_OPTIONS = {
  retryLimit: 1500,
  retryDelay: 5,
  retryDelayMax: 60,
  expireInSeconds: 120,
}

/** The message, or the reason why none is sent. `about` is absent if there is no account yet. */
type Prepared = { to: string; message: EmailMessage; about?: About | undefined } | MailOutcome

/** `id` becomes the Message-ID: that of the job, or that of the delivery. */
export type SendOnce = (id: string, prepare: () => Promise<Prepared>) => Promise<MailOutcome>

/**
 * Sends the email of a job once, although a job may run again after its worker died. An email can be repeated, with the
 * same Message-ID, if the relay's response is lost, if the worker crashes before it records the acceptance, or if the
 * database is then unavailable for `RECORD_SECONDS`. `prepare` runs at each try, so that a code's validity starts when
 * it is sent.
 */
export function sendOnce(db: Database, mail: Mail): SendOnce {
  return async (id, prepare) => {
    if (await wasSent(db, id)) return 'sent'
    const prepared = await prepare()
    if (typeof prepared === 'string') return prepared
    const { to, message, about } = prepared
    try {
      await mail.send(to, message, id)
    } catch (error) {
      if (about && error instanceof MailRefused) await recordRefused(db, id, about, error.code)
      throw error
    }
    // Without the record, a retry would send the email again.
    await retryWhileUnavailable(RECORD_SECONDS, () =>
      about ? recordSentToAccount(db, id, about) : recordSent(db, id),
    )
    return 'sent'
  }
}
