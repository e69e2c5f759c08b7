import { randomBytes } from 'node:crypto'
import { checkAuth, login, verifyLogin, wrongCode } from '@guidon/contract/auth'
import { CONTACT_METHODS, requestContact } from '@guidon/contract/contact'
import type { ContactMethod } from '@guidon/contract/contact'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { getIntake, saveIntake } from '@guidon/contract/intake'
import { EDIT_HISTORY_MAX } from '@guidon/contract/limits'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { hashOf, newFile } from '../../support/documents.ts'
import { Loops } from '../../support/loops.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { RepeatingClient, Tally } from './failover-client.ts'
import { tusClient } from './tus-client.ts'

const SAVERS = 3
const PAUSE_MS = 50
const UPLOAD_PAUSE_MS = 500
const FILE_BYTES = 60_000
const CODE_WAIT_MS = 60_000
/** Longer than the time in which the same contact request counts as a repetition. */
const CONTACT_AGAIN_MS = 180_000
/** Accounts that stay signed in and save or upload; the others sign in one after the other and request contact. */
export const SIGNED_IN_ACCOUNTS = SAVERS + 2

interface Addresses {
  portal: string
  apis: readonly string[]
  mailbox: string
}

interface ContactRequest {
  email: string
  method: ContactMethod
}

/** Veterans who sign in, request contact, save their intake and upload, until `end`. They repeat what got no response. */
export class FailoverTraffic {
  readonly tally = new Tally()
  /** The SHA-256 of each acknowledged upload, by its name. */
  readonly uploads = new Map<string, string>()
  readonly contactRequests: ContactRequest[] = []
  readonly sessions: { email: string; client: RepeatingClient }[] = []
  /** The last acknowledged city, by email. */
  readonly cities = new Map<string, string>()
  /** Acknowledged cities that were not there any more. */
  readonly lostIntakeSaves: string[] = []
  saves = 0
  readonly #addresses: Addresses
  readonly #mailbox: MailboxClient
  readonly #loops = new Loops((error) => this.tally.fail(error))

  constructor(addresses: Addresses) {
    this.#addresses = addresses
    this.#mailbox = new MailboxClient(addresses.mailbox)
  }

  async start(emails: readonly string[]): Promise<void> {
    const busy = await Promise.all(
      emails.slice(0, SIGNED_IN_ACCOUNTS).map((email) => this.#signIn(email)),
    )
    const [wholeUploader, partUploader] = busy.slice(SAVERS) as [RepeatingClient, RepeatingClient]
    const others = emails.slice(SIGNED_IN_ACCOUNTS)
    const requestedAt = new Map<string, number>()
    for (const [index, client] of busy.slice(0, SAVERS).entries()) {
      this.#loops.start(this.#saver(client, emails[index]!), PAUSE_MS)
    }
    this.#loops.start(() => this.#upload(wholeUploader), UPLOAD_PAUSE_MS)
    this.#loops.start(() => this.#uploadInParts(partUploader), UPLOAD_PAUSE_MS)
    this.#loops.start(
      (turn) => this.#signInAndRequestContact(others[turn % others.length]!, requestedAt),
      PAUSE_MS,
    )
  }

  end(): Promise<void> {
    return this.#loops.end()
  }

  async #signIn(email: string): Promise<RepeatingClient> {
    const client = new RepeatingClient(this.#addresses.portal, this.#addresses.portal, this.tally)
    const [last] = await this.#mailbox.mailsTo(email, { subject: ' code', waitMs: 0 })
    await client.write([204], () => client.call(login, { body: { email, password: PASSWORD } }))
    let after = last?.id ?? ''
    for (;;) {
      const filter = { after, subject: ' code', waitMs: CODE_WAIT_MS }
      const [newest] = await this.#mailbox.mailsTo(email, filter)
      const code = newest?.text.match(/\b\d{6}\b/)?.[0]
      if (!newest || !code) throw new Error('no code arrived')
      // If the sign-in was repeated, this may be the code of an earlier try; the next email then has the valid one.
      const { reply } = await client.write([200, 400], () =>
        client.call(verifyLogin, { body: { email, code } }),
      )
      if (reply.status === 200) break
      if (reply.body.code !== wrongCode.code) return this.#signIn(email)
      after = newest.id
    }
    this.sessions.push({ email, client })
    return client
  }

  async #signInAndRequestContact(email: string, requestedAt: Map<string, number>): Promise<void> {
    const client = await this.#signIn(email)
    if (Date.now() - (requestedAt.get(email) ?? 0) < CONTACT_AGAIN_MS) return
    for (const method of CONTACT_METHODS) {
      await client.write([202], () => client.call(requestContact, { body: { method } }))
      this.contactRequests.push({ email, method })
    }
    requestedAt.set(email, Date.now())
  }

  /** Sends edits as the web app does, so that a late request does not undo a newer one. */
  #saver(client: RepeatingClient, email: string) {
    const earlierIds: string[] = []
    return async (turn: number) => {
      const { body } = await client.read(() => client.call(getIntake, {}))
      const last = this.cities.get(email)
      if (last !== undefined && body.data.city !== last) {
        this.lostIntakeSaves.push(`${body.data.city}, not ${last}`)
      }
      const city = `Reno ${turn}`
      const id = randomBytes(8).toString('hex')
      const edits = { city: { id, over: earlierIds.slice(-EDIT_HISTORY_MAX) } }
      await client.write([200], () => client.call(saveIntake, { body: { city, edits } }))
      earlierIds.push(id)
      this.cities.set(email, city)
      this.saves += 1
    }
  }

  async #upload(client: RepeatingClient): Promise<void> {
    const { file, sha256 } = fileWithHash()
    const fields = { documentType: 'Other' }
    const { reply, repeated } = await client.write([201, 409], () =>
      client.upload(uploadDocument, file, { fields }),
    )
    if (reply.status === 409) {
      // Only an earlier try of the same file may be in its way.
      const { body } = await client.read(() => client.call(getDocuments, {}))
      const found = body.some((one) => one.name === file.name && one.sha256 === sha256)
      if (!repeated || !found) throw new Error('409 for a new file')
    }
    this.uploads.set(file.name, sha256)
  }

  async #uploadInParts(client: RepeatingClient): Promise<void> {
    const { file, sha256 } = fileWithHash()
    const { apis, portal } = this.#addresses
    const sentAt = performance.now()
    const tus = tusClient({ bases: apis, origin: portal, client })
    const { status } = await tus.send(file.name, file.bytes)
    // 200 if an earlier call finished the upload.
    if (status !== 201 && status !== 200) throw new Error(`${status} at the end of an upload`)
    this.tally.writes.push({ sentAt, acknowledgedAt: performance.now() })
    this.uploads.set(file.name, sha256)
  }

  figures() {
    return {
      'sign-ins': this.sessions.length,
      saves: this.saves,
      uploads: this.uploads.size,
      'contact requests': this.contactRequests.length,
      'refused with 503': this.tally.refused,
      'lost responses': this.tally.lostResponses,
    }
  }

  /** How many of the sessions are over. */
  async countSignedOut(): Promise<number> {
    let signedOut = 0
    for (const { client } of this.sessions) {
      const isSignedIn = await client.read(() => client.call(checkAuth, {})).catch(() => undefined)
      if (!isSignedIn) signedOut += 1
    }
    return signedOut
  }
}

function fileWithHash() {
  const file = newFile(FILE_BYTES)
  return { file, sha256: hashOf(file.bytes) }
}
