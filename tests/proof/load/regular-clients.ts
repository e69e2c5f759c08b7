import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth, login, verifyLogin } from '@guidon/contract/auth'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { SIGN_IN_CODES } from '@guidon/contract/limits'
import { getUserInfo } from '@guidon/contract/profile'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { samplePdf } from '../../support/files/made-pdf.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { formOf, TestClient } from '../../support/test-client.ts'

const READS = [checkAuth, getUserInfo, getAppointments, getCaseManager, getDocuments] as const
const READ_PAUSE_MS = 100
const UPLOAD_PAUSE_MS = 1_500
const SIGN_IN_PAUSE_MS = 1_000
const ADDRESS = { 'x-forwarded-for': '198.51.100.7' }

export interface StackUrls {
  base: string
  origin: string
  mailbox: string
}

/** Veterans who use the portal while it is attacked. */
export class RegularClients {
  readonly ms: number[] = []
  readonly failures: string[] = []
  notReady = 0
  readonly #stack: StackUrls
  readonly #mailbox: MailboxClient

  constructor(stack: StackUrls) {
    this.#stack = stack
    this.#mailbox = new MailboxClient(stack.mailbox)
  }

  async signIn(email: string): Promise<TestClient> {
    const client = new TestClient(this.#stack.base, this.#stack.origin)
    const nextCode = await this.#mailbox.nextCode(email)
    await this.#timed(204, () =>
      client.call(login, { body: { email, password: PASSWORD }, headers: ADDRESS }),
    )
    const code = await nextCode(60_000)
    await this.#timed(200, () =>
      client.call(verifyLogin, { body: { email, code }, headers: ADDRESS }),
    )
    return client
  }

  /** During the attack the first veteran reads, the second uploads, and the others sign in one after the other. */
  async during<T>(attack: () => Promise<T>, emails: readonly string[]): Promise<T> {
    const [reader, uploader, ...others] = emails as [string, string, ...string[]]
    const attackEnded = new AbortController()
    const repeat = async (
      betweenMs: number,
      task: (turn: number) => Promise<unknown>,
      maxTurns = Infinity,
    ) => {
      for (let turn = 0; turn < maxTurns && !attackEnded.signal.aborted; turn += 1) {
        await task(turn).catch((error: unknown) => this.failures.push(String(error)))
        await delay(betweenMs)
      }
    }
    const [reading, uploading] = await Promise.all([this.signIn(reader), this.signIn(uploader)])
    const attackResult = attack()
    const loops = Promise.all([
      repeat(READ_PAUSE_MS, (turn) => this.#read(reading, turn)),
      repeat(UPLOAD_PAUSE_MS, () => this.#upload(uploading)),
      repeat(
        SIGN_IN_PAUSE_MS,
        (turn) => this.signIn(others[turn % others.length]!),
        // A loaded machine lengthens the attack, and each account gets only so many codes.
        others.length * SIGN_IN_CODES,
      ),
      repeat(READ_PAUSE_MS, () => this.#checkReadiness()),
    ])
    try {
      return await attackResult
    } finally {
      attackEnded.abort()
      await loops
    }
  }

  #read(client: TestClient, turn: number) {
    return this.#timed(200, () => client.call(READS[turn % READS.length]!, { headers: ADDRESS }))
  }

  #upload(client: TestClient) {
    const form = formOf(
      { name: `${randomUUID()}.pdf`, bytes: samplePdf() },
      { documentType: 'Other' },
    )
    return this.#timed(201, () => client.send('POST', uploadDocument.path, form, ADDRESS))
  }

  async #checkReadiness(): Promise<void> {
    const { status } = await fetch(`${this.#stack.base}/readyz`).catch(() => ({ status: 0 }))
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
