import type { Brand } from '@guidon/contract/brand'
import { createTransport } from 'nodemailer'
import type { Mail } from '../port.ts'

const TIMEOUT_MS = 8_000

export function smtpMail(url: string, sender: Brand['emailSender']): Mail & { close(): void } {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Letters are made of strings here; nothing in one may ever name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = sender.address.slice(sender.address.indexOf('@') + 1)
  return {
    send: async (to, letter, id) => {
      await transport.sendMail({
        from: sender,
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        subject: letter.subject,
        html: letter.html,
        text: letter.text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}
