import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { inject } from 'vitest'

/** The mailbox of this run. */
export const mailbox = new MailboxClient(inject('mailboxUrl'))
