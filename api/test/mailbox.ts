import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { inject, vi } from 'vitest'

/** The mailbox of this run. */
export const mailbox = new MailboxClient(inject('mailboxUrl'))

/** The newest mail with a code, once so many have arrived. */
export const newestCodeMail = (email: string, count: number) =>
  vi.waitUntil(
    async () => {
      const mails = await mailbox.mailsTo(email, { subject: ' code', waitMs: 0 })
      return mails.length >= count && mails[0]
    },
    { timeout: 20_000 },
  )
