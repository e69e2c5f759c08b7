export interface EmailMessage {
  subject: string
  html: string
  text: string
  /** Besides those of every email. */
  headers?: Record<string, string>
}

export interface Mail {
  /** Resolves once the relay has accepted the message. The id becomes its Message-ID. */
  send(to: string, message: EmailMessage, id: string): Promise<void>
}

/** How a mail job ended without failing. */
export const MAIL_OUTCOMES = ['sent', 'superseded', 'postponed', 'expired', 'no-recipient'] as const
export type MailOutcome = (typeof MAIL_OUTCOMES)[number]

/** Whether the relay certainly does not have the message. False after a lost response: it may have it. */
export const isNotAccepted = (error: unknown): boolean =>
  error instanceof Error && 'isNotAccepted' in error && error.isNotAccepted === true

/** Whether the relay refused or deferred only this recipient, rather than every email. */
export const concernsRecipient = (error: unknown): boolean =>
  error instanceof MailRefused ||
  (error instanceof Error && 'concernsRecipient' in error && error.concernsRecipient === true)

/** The relay refused the recipient permanently: do not retry. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly isNotAccepted = true
  readonly permanent = true
  readonly outcome = 'refused'
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super('the relay refused the recipient', options)
    this.code = code
  }
}

/** The mailbox that mail servers send their reports to. */
export interface ReportMailbox {
  /**
   * Calls `handle` with the text of each message and then deletes all of them. If it fails, they are read again.
   * Messages that are too long or cannot be read are skipped, and deleted, too.
   */
  readAll(
    handle: (text: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ read: number; skipped: number }>
}
