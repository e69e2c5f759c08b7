import type { Brand } from '@guidon/contract/brand'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import { fairSemaphore } from '../../platform/fair-semaphore.ts'
import type { Mail } from '../port.ts'
import { failureOf } from './failure.ts'

const TIMEOUT_MS = 8_000
const CONNECTIONS = 5
/** Together with the time to record that an email was sent, these two are less than its job may take. */
const MAX_WAIT_MS = 20_000
const MAX_SEND_MS = 30_000

export interface SmtpOptions {
  url: string
  /** Send nothing without TLS, neither credentials nor email. */
  requireTls: boolean
  maxSendMs?: number
}

export interface SmtpMail extends Mail {
  /** Connects and signs in without sending anything. */
  verify(): Promise<void>
  close(): void
}

export function smtpMail(
  options: SmtpOptions,
  sender: Brand['emailSender'],
  /** The address to which reports about the message with this id are sent. */
  returnPathOf: (id: string) => string = () => sender.address,
): SmtpMail {
  const { maxSendMs = MAX_SEND_MS } = options
  const newTransport = () =>
    createTransport({
      url: connectionUrl(options),
      pool: true,
      maxConnections: CONNECTIONS,
      // One retry for a pooled connection that the relay has closed. The job queue does all other retries.
      maxRequeues: 1,
      dnsTimeout: TIMEOUT_MS,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Our messages are strings, so nodemailer never needs to read a file or fetch a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let transport = newTransport()
  // Emails wait here and not in the pool, so that the limit counts only the time with a connection.
  const connections = fairSemaphore({ maxRunning: CONNECTIONS, maxWaitMs: MAX_WAIT_MS })
  /** The timeouts above do not notice a relay that sends a byte now and then. It would keep its connections forever. */
  const replaceStalled = (stalled: typeof transport) => {
    if (transport === stalled) transport = newTransport()
    stalled.close({ force: true })
  }
  const sendWithinLimit = async (email: SendMailOptions) => {
    const used = transport
    const timer = setTimeout(() => replaceStalled(used), maxSendMs)
    try {
      await used.sendMail(email)
    } finally {
      clearTimeout(timer)
    }
  }
  const domain = sender.address.slice(sender.address.indexOf('@') + 1)
  return {
    send: async (to, message, id) => {
      const recipient = { name: '', address: to }
      const email = {
        from: sender,
        to: recipient,
        messageId: `<${id}@${domain}>`,
        subject: message.subject,
        html: message.html,
        text: message.text,
        headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
        envelope: { from: returnPathOf(id), to: recipient },
      }
      try {
        await connections.run('', () => sendWithinLimit(email))
      } catch (error) {
        throw failureOf(error)
      }
    },
    verify: async () => {
      try {
        await transport.verify()
      } catch (error) {
        throw failureOf(error)
      }
    },
    close: () => transport.close(),
  }
}

/** Sets TLS in the URL, because its parameters override the other options of nodemailer. */
function connectionUrl({ url, requireTls }: SmtpOptions): string {
  if (!requireTls) return url
  const address = new URL(url)
  address.searchParams.set('requireTLS', 'true')
  return address.href
}
