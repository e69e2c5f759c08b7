import { MailRefused } from '../port.ts'

interface SmtpError {
  code?: unknown
  command?: unknown
  responseCode?: unknown
  response?: unknown
}

/** Authentication required: the relay refuses us, not the recipient. */
const NOT_SIGNED_IN = 530
/** Enhanced status codes for policy and security: the relay may refuse us, not the recipient. */
const POLICY = /^\d{3}[ -]5\.7\./

/** A refused recipient is permanent. Everything else is an outage or wrong settings, and is retried. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, command, responseCode, response } = error as SmtpError
  // nodemailer rejects an address that SMTP cannot express.
  if (code === 'EENVELOPE' && command === 'API')
    return new MailRefused('EENVELOPE', { cause: error })
  if (command !== 'RCPT TO' || typeof responseCode !== 'number') return error
  if (responseCode < 500 || responseCode === NOT_SIGNED_IN) return error
  if (POLICY.test(String(response))) return error
  return new MailRefused(String(responseCode), { cause: error })
}
