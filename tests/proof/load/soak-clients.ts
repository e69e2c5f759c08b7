import { login, refresh, verifyLogin } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { uploadDocument } from '@guidon/contract/documents'
import { getIntake, saveIntake } from '@guidon/contract/intake'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { DASHBOARD } from '../../support/dashboard-reads.ts'
import { newFile } from '../../support/documents.ts'
import { Loops } from '../../support/loops.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { TestClient } from '../../support/test-client.ts'
import type { Reply } from '../../support/test-client.ts'

const CLICK_PAUSE_MS = 200
const UPLOAD_PAUSE_MS = 2_000
/** Slow enough that no account needs more than the six codes it can get in a quarter of an hour. */
const SIGN_IN_PAUSE_MS = 3_000
const FILE_BYTES = 60_000
const REFUSALS: ReadonlySet<number> = new Set([429, 503])

interface Timed {
  route: string
  at: number
  ms: number
}

/**
 * Veterans who use every part of the portal until `end`. A 429 or 503 with an error code is counted as refused, not as
 * failed, because the web app shows its message.
 */
export class SoakClients {
  readonly timed: Timed[] = []
  readonly failures: Record<string, number> = {}
  refused = 0
  signIns = 0
  readonly #portal: string
  readonly #mailbox: MailboxClient
  readonly #loops = new Loops((error) => this.#fail(String(error)))

  constructor({ portal, mailbox }: { portal: string; mailbox: string }) {
    this.#portal = portal
    this.#mailbox = new MailboxClient(mailbox)
  }

  /** The first `busy` veterans stay signed in; the others sign in, one after the other. */
  async start(emails: readonly string[], busy: number): Promise<void> {
    const clients = await Promise.all(emails.slice(0, busy).map((email) => this.#signIn(email)))
    const others = emails.slice(busy)
    for (const client of clients) {
      if (client) this.#loops.start((turn) => this.#use(client, turn), CLICK_PAUSE_MS)
    }
    this.#loops.start(() => this.#upload(clients[0]!), UPLOAD_PAUSE_MS)
    this.#loops.start(
      (turn) => this.#signInAndRequestContact(others[turn % others.length]!),
      SIGN_IN_PAUSE_MS,
    )
  }

  end(): Promise<void> {
    return this.#loops.end()
  }

  /** Undefined if it was refused. */
  async #signIn(email: string): Promise<TestClient | undefined> {
    const client = new TestClient(this.#portal, this.#portal)
    const nextCode = await this.#mailbox.nextCode(email)
    const body = { email, password: PASSWORD }
    if (!(await this.#call('sign-in', 204, client, () => client.call(login, { body })))) return
    const code = await nextCode(60_000)
    const verify = () => client.call(verifyLogin, { body: { email, code } })
    if (!(await this.#call('sign-in', 200, client, verify))) return
    this.signIns += 1
    return client
  }

  async #signInAndRequestContact(email: string): Promise<void> {
    const client = await this.#signIn(email)
    if (!client) return
    const body = { method: 'Call' as const }
    await this.#call('contact', 202, client, () => client.call(requestContact, { body }))
  }

  async #use(client: TestClient, turn: number): Promise<void> {
    const { method, path } = [...DASHBOARD, getIntake][turn % (DASHBOARD.length + 1)]!
    await this.#call('read', 200, client, () => client.send(method, path))
    const body = { city: `Reno ${turn}` }
    await this.#call('save', 200, client, () => client.call(saveIntake, { body }))
  }

  async #upload(client: TestClient): Promise<void> {
    const file = newFile(FILE_BYTES)
    const fields = { documentType: 'Other' }
    await this.#call('upload', 201, client, () => client.upload(uploadDocument, file, { fields }))
  }

  /** Renews the session if necessary. Returns whether the response was the expected one. */
  async #call(
    route: string,
    expected: number,
    client: TestClient,
    call: () => Promise<Reply>,
  ): Promise<boolean> {
    const at = performance.now()
    const { status, body } = await call()
    this.timed.push({ route, at, ms: performance.now() - at })
    if (status === expected) return true
    const { code } = body as { code?: unknown }
    if (status === 401 && route !== 'sign-in') {
      const renewed = await client.call(refresh, {})
      if (renewed.status === 204) return this.#call(route, expected, client, call)
      this.#fail(`signed out with ${renewed.status}`)
    } else if (REFUSALS.has(status) && typeof code === 'string') this.refused += 1
    else this.#fail(`${route}: ${status}, not ${expected}: ${JSON.stringify(body)}`)
    return false
  }

  #fail(failure: string): void {
    this.failures[failure] = (this.failures[failure] ?? 0) + 1
  }
}
