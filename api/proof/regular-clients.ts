import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth, login, verifyLogin } from '@guidon/contract/auth'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { samplePdf } from '../test/files/made-pdf.ts'
import { formOf, TestClient } from '../test/test-client.ts'
import { PASSWORD } from './traffic.ts'

/** Other people, who use the portal as always while somebody attacks it. */

const READS = [checkAuth, getUserInfo, getAppointments, getCaseManager, getDocuments] as const
const BETWEEN_READS_MS = 100
const BETWEEN_UPLOADS_MS = 1_500
const BETWEEN_SIGN_INS_MS = 1_000
const ADDRESS = { 'x-forwarded-for': '198.51.100.7' }

export interface Place {
  base: string
  origin: string
  mailbox: string
}

export class RegularClients {
  readonly ms: number[] = []
  readonly failures: string[] = []
  /** Looks at /readyz that did not find the API ready. */
  notReady = 0
  readonly #place: Place
  readonly #mailbox: MailboxClient

  constructor(place: Place) {
    this.#place = place
    this.#mailbox = new MailboxClient(place.mailbox)
  }

  async signIn(email: string): Promise<TestClient> {
    const client = new TestClient(this.#place.base, this.#place.origin)
    const [last] = await this.#mailbox.mailsTo(email, { subject: ' code', waitMs: 0 })
    await this.#timed(204, () =>
      client.call(login, { body: { email, password: PASSWORD }, headers: ADDRESS }),
    )
    const code = await this.#mailbox.codeFor(email, { after: last?.id ?? '', waitMs: 60_000 })
    await this.#timed(200, () =>
      client.call(verifyLogin, { body: { email, code }, headers: ADDRESS }),
    )
    return client
  }

  /** While it lasts, the first reads, the second uploads, and the others sign in one after the other. */
  async during<T>(attack: () => Promise<T>, emails: readonly string[]): Promise<T> {
    const [reader, uploader, ...others] = emails as [string, string, ...string[]]
    const over = new AbortController()
    const again = async (betweenMs: number, act: (turn: number) => Promise<unknown>) => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        await act(turn).catch((error: unknown) => this.failures.push(String(error)))
        await delay(betweenMs)
      }
    }
    const [reading, uploading] = await Promise.all([this.signIn(reader), this.signIn(uploader)])
    const attacking = attack()
    const busy = Promise.all([
      again(BETWEEN_READS_MS, (turn) => this.#reads(reading, turn)),
      again(BETWEEN_UPLOADS_MS, () => this.#uploads(uploading)),
      again(BETWEEN_SIGN_INS_MS, (turn) => this.signIn(others[turn % others.length]!)),
      again(BETWEEN_READS_MS, () => this.#looksAtReadiness()),
    ])
    try {
      return await attacking
    } finally {
      over.abort()
      await busy
    }
  }

  percentile(share: number): number {
    const sorted = this.ms.toSorted((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity
  }

  #reads(client: TestClient, turn: number) {
    return this.#timed(200, () => client.call(READS[turn % READS.length]!, { headers: ADDRESS }))
  }

  #uploads(client: TestClient) {
    const form = formOf(
      { name: `${randomUUID()}.pdf`, bytes: samplePdf() },
      { documentType: 'Other' },
    )
    return this.#timed(201, () => client.send('POST', uploadDocument.path, form, ADDRESS))
  }

  async #looksAtReadiness(): Promise<void> {
    const { status } = await fetch(`${this.#place.base}/readyz`).catch(() => ({ status: 0 }))
    if (status !== 200) this.notReady += 1
  }

  async #timed(expected: number, call: () => Promise<{ status: number; body: unknown }>) {
    const started = performance.now()
    const { status, body } = await call()
    this.ms.push(performance.now() - started)
    if (status !== expected) {
      this.failures.push(`${status}, not ${expected}: ${JSON.stringify(body).slice(0, 200)}`)
    }
  }
}
