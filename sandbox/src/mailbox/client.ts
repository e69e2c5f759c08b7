import { controlClient } from '../control-client.ts'
import type { FaultMode, Stats } from './faults.ts'

export interface Mail {
  id: string
  messageId: string
  subject: string
  /** The sender of the SMTP envelope. */
  returnPath: string
  headers: Record<string, string>
  text: string
  html: string
}

interface Filter {
  /** Only messages that arrived after the one with this id. */
  after?: string
  subject?: string
  waitMs?: number
}

/** Reads the sandbox mailbox over HTTP. Each request waits until a message arrives, so tests need no sleep. */
export class MailboxClient {
  readonly url: string
  readonly #request: ReturnType<typeof controlClient>

  constructor(url: string) {
    this.url = url
    this.#request = controlClient(url)
  }

  /** Newest first; empty if none arrives in time. */
  async mailsTo(email: string, filter: Filter = {}): Promise<Mail[]> {
    const { after = '', subject = '', waitMs = 20_000 } = filter
    const query = new URLSearchParams({
      to: email,
      wait: String(waitMs),
      ...(after && { after }),
      ...(subject && { subject }),
    })
    const path = `/messages?${query.toString()}`
    return (await this.#request<{ messages: Mail[] }>('GET', path)).messages
  }

  /** The six digits of the newest message with a code. */
  async codeFor(email: string, filter: Omit<Filter, 'subject'> = {}): Promise<string> {
    const [newest] = await this.mailsTo(email, { ...filter, subject: ' code' })
    const code = newest?.text.match(/\b\d{6}\b/)?.[0]
    if (!code) throw new Error(`no code arrived for ${email}`)
    return code
  }

  /** Returns a function that waits for a code which is newer than the messages so far. */
  async nextCode(email: string): Promise<(waitMs?: number) => Promise<string>> {
    const [last] = await this.mailsTo(email, { subject: ' code', waitMs: 0 })
    return (waitMs) =>
      this.codeFor(email, { after: last?.id ?? '', ...(waitMs !== undefined && { waitMs }) })
  }

  async fault(mode: FaultMode, times?: number): Promise<void> {
    await this.#request('PUT', '/faults', JSON.stringify({ mode, ...(times && { times }) }))
  }

  stats(): Promise<Stats> {
    return this.#request<Stats>('GET', '/stats')
  }

  /** Emails to this address are accepted and then reported, as failed unless `action` says otherwise. */
  async bounce(to: string, report: { action?: string; status?: string } = {}): Promise<void> {
    await this.#request('PUT', '/bounces', JSON.stringify({ to, ...report }))
  }

  /** Puts a message into the mailbox of reports, as any stranger could send it. */
  async putReport(raw: string): Promise<void> {
    await this.#request('POST', '/reports', raw)
  }

  /** Waits until the fault `hang` leaves a delivery without a response. */
  async waitForHeldDelivery(): Promise<void> {
    const { hanging } = await this.#request<{ hanging: number }>('GET', '/hanging?wait=20000')
    if (hanging < 1) throw new Error('no delivery was held')
  }
}
