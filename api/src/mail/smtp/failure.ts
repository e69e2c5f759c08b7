import { QueueFull } from '../../platform/fair-semaphore.ts'
import { MailRefused } from '../port.ts'

interface SmtpError {
  code?: unknown
  command?: unknown
  responseCode?: unknown
  response?: unknown
  syscall?: unknown
}

/** Authentication required: the relay refuses us, not the recipient. */
const NOT_SIGNED_IN = 530
/** Enhanced status codes for policy and security: the relay may refuse us, not the recipient. */
const POLICY = /^\d{3}[ -]5\.7\./

/** nodemailer found no relay, or could not sign in. */
const BEFORE_SENDING = new Set<unknown>(['EDNS', 'ETLS', 'EAUTH'])

/** A refused recipient is permanent. Everything else is an outage or wrong settings, and is retried. */
export function failureOf(error: unknown): unknown {
  const refused = refusalOf(error)
  if (refused) return refused
  if (!(error instanceof Error)) return error
  const { code, command, responseCode, response, syscall } = error as SmtpError
  const hasResponse = typeof responseCode === 'number'
  const isBeforeSending =
    syscall === 'connect' || BEFORE_SENDING.has(code) || error instanceof QueueFull
  const mayBeAccepted = !hasResponse && !isBeforeSending
  if (mayBeAccepted) return error
  // 450 to 452: this mailbox is busy, full or greylisted.
  const concernsRecipient =
    command === 'RCPT TO' && /^45[0-2]\b(?! 4\.[347]\.)/.test(String(response))
  return Object.assign(error, { isNotAccepted: true, concernsRecipient })
}

function refusalOf(error: unknown): MailRefused | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, command, responseCode, response } = error as SmtpError
  // nodemailer rejects an address that SMTP cannot express.
  if (code === 'EENVELOPE' && command === 'API')
    return new MailRefused('EENVELOPE', { cause: error })
  if (command !== 'RCPT TO' || typeof responseCode !== 'number') return undefined
  if (responseCode < 500 || responseCode === NOT_SIGNED_IN) return undefined
  if (POLICY.test(String(response))) return undefined
  return new MailRefused(String(responseCode), { cause: error })
}
