export interface EmailMessage {
  subject: string
  html: string
  text: string
}

export interface Mail {
  /** Resolves once the relay has accepted the message. The id becomes its Message-ID. */
  send(to: string, message: EmailMessage, id: string): Promise<void>
}

/** How a mail job ended without failing. */
export const MAIL_OUTCOMES = ['sent', 'superseded', 'expired', 'no-recipient'] as const
export type MailOutcome = (typeof MAIL_OUTCOMES)[number]

/** The relay refused the recipient permanently: do not retry. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly permanent = true
  readonly outcome = 'refused'
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super('the relay refused the recipient', options)
    this.code = code
  }
}
