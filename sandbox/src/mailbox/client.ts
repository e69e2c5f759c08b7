export interface Mail {
  id: string
  messageId: string
  subject: string
  text: string
  html: string
}

export type Fault = 'none' | 'hang' | 'refuse' | 'fail'

interface Wanted {
  /** Only mails that came later than the one with this id. */
  after?: string
  subject?: string
  waitMs?: number
}

/** Asks the sandbox mailbox over HTTP; it answers when the mail is there, so nobody sleeps. */
export class MailboxClient {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** Newest first; empty when none came in time. */
  async mailsTo(email: string, wanted: Wanted = {}): Promise<Mail[]> {
    const { after = '', subject = '', waitMs = 20_000 } = wanted
    const query = new URLSearchParams({
      to: email,
      wait: String(waitMs),
      ...(after && { after }),
      ...(subject && { subject }),
    })
    const { messages } = (await this.#get(`/messages?${query.toString()}`)) as { messages: Mail[] }
    return messages
  }

  /** The digits of the newest mail with a code. */
  async codeFor(email: string, wanted: Omit<Wanted, 'subject'> = {}): Promise<string> {
    const [newest] = await this.mailsTo(email, { ...wanted, subject: ' code' })
    const code = newest?.text.match(/\b\d{6}\b/)?.[0]
    if (!code) throw new Error(`no code arrived for ${email}`)
    return code
  }

  async fault(mode: Fault, times?: number): Promise<void> {
    const body = JSON.stringify({ mode, ...(times && { times }) })
    const answer = await fetch(`${this.url}/faults`, { method: 'PUT', body })
    if (!answer.ok) throw new Error(await answer.text())
  }

  /** Settles once a delivery is under way and held. */
  async holding(): Promise<void> {
    const { hanging } = (await this.#get('/hanging?wait=20000')) as { hanging: number }
    if (hanging < 1) throw new Error('no delivery was held')
  }

  async #get(path: string): Promise<unknown> {
    return (await fetch(this.url + path)).json()
  }
}
