import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { checkAuth, login, refresh, verifyLogin } from '@guidon/contract/auth'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { getUserInfo } from '@guidon/contract/profile'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { samplePdf, streamOf } from '../test/files/made-pdf.ts'
import { TestClient } from '../test/test-client.ts'

/** Those of the veterans who also upload. */
const UPLOADING = 2
/** A veteran looks at what came before asking for more; a bounded load. */
const LOOKING_MS = 50

export const PASSWORD = 'Harbor-Lantern-42!'

/** A veteran's account, as `admin create-users` takes it. */
export const veteran = () => ({
  email: `${randomUUID()}@example.com`,
  password: PASSWORD,
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  state: 'California',
  role: 'USER' as const,
})

export interface Acknowledged {
  /** The hash of each file by its name. */
  uploads: Map<string, string>
  /** The last city of each intake by the veteran's email. */
  cities: Map<string, string>
  signIns: number
}

interface Place {
  base: string
  origin: string
  mailbox: string
  /** The size of the files that are uploaded. */
  bytes: number
}

/** Veterans at work until told to end. What was answered well is remembered, and what was not. */
export class Traffic {
  readonly acknowledged: Acknowledged = { uploads: new Map(), cities: new Map(), signIns: 0 }
  readonly failures: string[] = []
  requests = 0
  slowestMs = 0
  readonly #place: Place
  readonly #mailbox: MailboxClient
  #over = false
  #hands: Promise<void>[] = []

  constructor(place: Place) {
    this.#place = place
    this.#mailbox = new MailboxClient(place.mailbox)
  }

  async signIn(email: string): Promise<TestClient> {
    const client = new TestClient(this.#place.base, this.#place.origin)
    const [last] = await this.#mailbox.mailsTo(email, { subject: ' code', waitMs: 0 })
    await this.#ask(204, () => client.call(login, { body: { email, password: PASSWORD } }))
    const code = await this.#mailbox.codeFor(email, { after: last?.id ?? '', waitMs: 60_000 })
    const ok = await this.#ask(200, () => client.call(verifyLogin, { body: { email, code } }))
    if (ok) this.acknowledged.signIns += 1
    return client
  }

  /** Each veteran reads, saves the intake and uploads; the last one signs in again and again. */
  async start(emails: readonly string[]): Promise<void> {
    const [arriving, ...settled] = emails.toReversed() as [string, ...string[]]
    const people = await Promise.all(settled.map((email) => this.signIn(email)))
    this.#hands = [
      this.#until(() => this.signIn(arriving)),
      ...people.map((client) => this.#until(() => this.#reads(client))),
      ...people.map((client, index) =>
        this.#until((turn) => this.#saves(client, settled[index]!, turn)),
      ),
      ...people.slice(0, UPLOADING).map((client) => this.#until(() => this.#uploads(client))),
    ]
  }

  /** What was promised up to now; it goes on. */
  remembered(): Acknowledged {
    return structuredClone(this.acknowledged)
  }

  async end(): Promise<void> {
    this.#over = true
    await Promise.all(this.#hands)
  }

  async #until(act: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; !this.#over; turn += 1) {
      await act(turn).catch((error: unknown) => this.failures.push(String(error)))
      await delay(LOOKING_MS)
    }
  }

  async #reads(client: TestClient): Promise<void> {
    for (const endpoint of [checkAuth, getUserInfo, getDocuments, checkAuth] as const) {
      await this.#ask(200, () => client.call(endpoint, {}))
    }
  }

  async #saves(client: TestClient, email: string, turn: number): Promise<void> {
    const city = `Reno ${turn}`
    if (await this.#ask(200, () => client.call(saveIntake, { body: { city } }))) {
      this.acknowledged.cities.set(email, city)
    }
    // Long before the access token is too old.
    if (turn % 200 === 199) await this.#ask(204, () => client.call(refresh, {}))
  }

  async #uploads(client: TestClient): Promise<void> {
    const bytes = samplePdf(1, streamOf(randomBytes(this.#place.bytes).toString('base64')))
    const file = { name: `${randomUUID()}.pdf`, bytes }
    const fields = { documentType: 'Other' }
    if (await this.#ask(201, () => client.upload(uploadDocument, file, { fields }))) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      this.acknowledged.uploads.set(file.name, hash)
    }
  }

  async #ask(
    expected: number,
    call: () => Promise<{ status: number; body: unknown }>,
  ): Promise<boolean> {
    this.requests += 1
    const started = performance.now()
    const answer = await call().catch((error: unknown) => String((error as Error).cause ?? error))
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started)
    if (typeof answer !== 'string' && answer.status === expected) return true
    const { status, body } = typeof answer === 'string' ? { status: answer, body: '' } : answer
    this.failures.push(`${status}, not ${expected}: ${JSON.stringify(body)}`)
    return false
  }
}
