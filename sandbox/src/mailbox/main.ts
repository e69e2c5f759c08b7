import { closeOnSignal } from '../close-on-signal.ts'
import { startMailbox } from './mailbox.ts'

const mailbox = await startMailbox({
  host: process.env['SANDBOX_HOST'] ?? '127.0.0.1',
  smtpPort: Number(process.env['MAILBOX_SMTP_PORT'] ?? 2525),
  pop3Port: Number(process.env['MAILBOX_POP3_PORT'] ?? 2110),
  httpPort: Number(process.env['MAILBOX_HTTP_PORT'] ?? 8025),
})

console.log(`Sandbox mailbox, development and tests only: ${mailbox.url} (${mailbox.smtpUrl})`)

closeOnSignal(mailbox)
