interface Mail {
  id: string
  subject: string
  text: string
}

/** The sandbox mailbox: asked for a mail, it answers when the mail is there. */
export class Mailbox {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async mailsTo(email: string, { after = '', waitMs = 20_000 } = {}): Promise<Mail[]> {
    const query = new URLSearchParams({ to: email, wait: String(waitMs), ...(after && { after }) })
    const answer = await fetch(`${this.url}/messages?${query.toString()}`)
    const { messages } = (await answer.json()) as { messages: Mail[] }
    return messages
  }

  async codeFor(email: string, waitMs?: number): Promise<string> {
    const [newest] = await this.mailsTo(email, waitMs === undefined ? {} : { waitMs })
    const code = newest?.text.match(/\b\d{6}\b/)?.[0]
    if (!code) throw new Error(`no code arrived for ${email}`)
    return code
  }

  async fault(mode: 'none' | 'hang' | 'refuse' | 'fail', times?: number): Promise<void> {
    const body = JSON.stringify({ mode, ...(times && { times }) })
    const answer = await fetch(`${this.url}/faults`, { method: 'PUT', body })
    if (!answer.ok) throw new Error(await answer.text())
  }

  /** Settles once a delivery is under way and held. */
  async holding(): Promise<void> {
    const answer = await fetch(`${this.url}/hanging?wait=20000`)
    const { hanging } = (await answer.json()) as { hanging: number }
    if (hanging < 1) throw new Error('no delivery was held')
  }
}
