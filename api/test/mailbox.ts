import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { inject, vi } from 'vitest'

export const mailbox = new MailboxClient(inject('mailboxUrl'))

/** Waits for `count` emails with a code and returns the newest. */
export const newestCodeMail = (email: string, count: number) =>
  vi.waitUntil(
    async () => {
      const mails = await mailbox.mailsTo(email, { subject: ' code', waitMs: 0 })
      return mails.length >= count && mails[0]
    },
    { timeout: 20_000 },
  )
