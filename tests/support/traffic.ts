import { checkAuth, login, refresh, verifyLogin } from '@guidon/contract/auth'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { getUserInfo } from '@guidon/contract/profile'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { hashOf, newFile } from './documents.ts'
import { Loops } from './loops.ts'
import { PASSWORD } from './outside/account.ts'
import { TestClient } from './test-client.ts'

const UPLOADERS = 2
const PAUSE_MS = 50

export interface Acknowledged {
  /** The SHA-256 by the file's name. */
  uploads: Map<string, string>
  /** The last saved city by the veteran's email. */
  cities: Map<string, string>
  signIns: number
}

interface Options {
  base: string
  origin: string
  mailbox: string
  bytesPerFile: number
}

/** Veterans who use the portal until `end`. Records acknowledged writes and unexpected responses. */
export class Traffic {
  readonly acknowledged: Acknowledged = { uploads: new Map(), cities: new Map(), signIns: 0 }
  readonly failures: string[] = []
  requests = 0
  slowestMs = 0
  readonly #options: Options
  readonly #mailbox: MailboxClient
  readonly #loops = new Loops((error) => this.failures.push(String(error)))

  constructor(options: Options) {
    this.#options = options
    this.#mailbox = new MailboxClient(options.mailbox)
  }

  async signIn(email: string): Promise<TestClient> {
    const client = new TestClient(this.#options.base, this.#options.origin)
    const nextCode = await this.#mailbox.nextCode(email)
    await this.#request(204, () => client.call(login, { body: { email, password: PASSWORD } }))
    const code = await nextCode(60_000)
    const ok = await this.#request(200, () => client.call(verifyLogin, { body: { email, code } }))
    if (ok) this.acknowledged.signIns += 1
    return client
  }

  /** The last veteran only signs in, repeatedly. All others read and save their intake, and two of them upload. */
  async start(emails: readonly string[]): Promise<void> {
    const [signingIn, ...others] = emails.toReversed() as [string, ...string[]]
    const clients = await Promise.all(others.map((email) => this.signIn(email)))
    this.#loops.start(() => this.signIn(signingIn), PAUSE_MS)
    for (const [index, client] of clients.entries()) {
      this.#loops.start(() => this.#read(client), PAUSE_MS)
      this.#loops.start((turn) => this.#save(client, others[index]!, turn), PAUSE_MS)
      if (index < UPLOADERS) this.#loops.start(() => this.#upload(client), PAUSE_MS)
    }
  }

  snapshot(): Acknowledged {
    return structuredClone(this.acknowledged)
  }

  end(): Promise<void> {
    return this.#loops.end()
  }

  async #read(client: TestClient): Promise<void> {
    for (const endpoint of [checkAuth, getUserInfo, getDocuments, checkAuth] as const) {
      await this.#request(200, () => client.call(endpoint, {}))
    }
  }

  async #save(client: TestClient, email: string, turn: number): Promise<void> {
    const city = `Reno ${turn}`
    if (await this.#request(200, () => client.call(saveIntake, { body: { city } }))) {
      this.acknowledged.cities.set(email, city)
    }
    // Early enough that the access token never expires.
    if (turn % 200 === 199) await this.#request(204, () => client.call(refresh, {}))
  }

  async #upload(client: TestClient): Promise<void> {
    const file = newFile(this.#options.bytesPerFile)
    const fields = { documentType: 'Other' }
    if (await this.#request(201, () => client.upload(uploadDocument, file, { fields }))) {
      this.acknowledged.uploads.set(file.name, hashOf(file.bytes))
    }
  }

  async #request(
    expected: number,
    call: () => Promise<{ status: number; body: unknown }>,
  ): Promise<boolean> {
    this.requests += 1
    const started = performance.now()
    const response = await call().catch((error: unknown) => String((error as Error).cause ?? error))
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started)
    if (typeof response !== 'string' && response.status === expected) return true
    const { status, body } =
      typeof response === 'string' ? { status: response, body: '' } : response
    this.failures.push(`${status}, not ${expected}: ${JSON.stringify(body)}`)
    return false
  }
}
