import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { inject, vi } from 'vitest'
import { afterFile } from './after-file.ts'

export const mailbox = new MailboxClient(inject('mailboxUrl'))

/** Waits for `count` emails with a code and returns the newest. */
export const newestCodeMail = (email: string, count: number) =>
  vi.waitUntil(
    async () => {
      const mails = await mailbox.mailsTo(email, { subject: ' code', waitMs: 0 })
      return mails.length >= count && mails[0]
    },
    { timeout: 60_000 },
  )

/** A mailbox for one test file, with its own bounce reports. Pass `environment` to `boot`. */
export async function newMailbox() {
  const { url, smtpUrl, pop3Url, close } = await startMailbox()
  afterFile(close)
  const environment = { SMTP_URL: smtpUrl, BOUNCE_URL: pop3Url }
  return Object.assign(new MailboxClient(url), { environment })
}

/** What a mail server reports about the email with this return path. */
export const reportTo = (to: string, { action = 'failed', status = '5.1.1' } = {}) =>
  `From: <>\nTo: <${to}>\nContent-Type: multipart/report; report-type="delivery-status"; boundary=x

--x
Content-Type: text/plain

Sorry.
--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; someone@example.com
Action: ${action}
Status: ${status}

--x--
`
