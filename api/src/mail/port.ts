/** A message ready to be sent, in both of its forms. */
export interface EmailMessage {
  subject: string
  html: string
  text: string
}

export interface Mail {
  /** Resolves once the relay has taken the letter. A repeat with the same id bears the same Message-ID. */
  send(to: string, message: EmailMessage, id: string): Promise<void>
}

/**
 * How a mail job ended without failing: handed to the relay, replaced by a newer one, too late to be of use, or
 * addressed to nobody.
 */
export const MAIL_OUTCOMES = ['sent', 'superseded', 'expired', 'no-recipient'] as const
export type MailOutcome = (typeof MAIL_OUTCOMES)[number]

/** The relay refused this recipient for good; trying again changes nothing. */
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
