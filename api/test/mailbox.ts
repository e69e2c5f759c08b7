import { inject } from 'vitest'

export interface Mail {
  id: string
  messageId: string
  subject: string
  text: string
  html: string
}

/** The sandbox mailbox, asked over HTTP; it answers when the mail is there. */
export const mailbox = {
  /** Newest first; only those after the one named, where one is named. */
  async mailsTo(
    email: string,
    { after = '', subject = '', waitMs = 10_000 } = {},
  ): Promise<Mail[]> {
    const query = new URLSearchParams({
      to: email,
      wait: String(waitMs),
      ...(after && { after }),
      ...(subject && { subject }),
    })
    const answer = await fetch(`${inject('mailboxUrl')}/messages?${query.toString()}`)
    const { messages } = (await answer.json()) as { messages: Mail[] }
    return messages
  },
  /** The digits of the newest mail to this address. */
  async codeFor(email: string, after?: Mail): Promise<string> {
    const [newest] = await this.mailsTo(email, { after: after?.id ?? '', subject: ' code' })
    const code = newest?.text.match(/\b\d{6}\b/)?.[0]
    if (!code) throw new Error(`no code arrived for ${email}`)
    return code
  },
}
