import { MailRefused } from '../port.ts'

interface SmtpError {
  code?: unknown
  command?: unknown
  responseCode?: unknown
  response?: unknown
}

/** "Authentication required": the relay refuses us, not the recipient. */
const NOT_SIGNED_IN = 530
/** Enhanced status codes of policy and security; a relay that lost its trust in us answers so for everyone. */
const POLICY = /^\d{3}[ -]5\.7\./

/** A refusal of the recipient is permanent. Everything else is an outage or a mistake in our settings, and is tried again. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, command, responseCode, response } = error as SmtpError
  // An address that cannot be written in the protocol at all.
  if (code === 'EENVELOPE' && command === 'API')
    return new MailRefused('EENVELOPE', { cause: error })
  if (command !== 'RCPT TO' || typeof responseCode !== 'number') return error
  if (responseCode < 500 || responseCode === NOT_SIGNED_IN) return error
  if (POLICY.test(String(response))) return error
  return new MailRefused(String(responseCode), { cause: error })
}
