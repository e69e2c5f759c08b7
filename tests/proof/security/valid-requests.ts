import { randomUUID } from 'node:crypto'
import type { NamedEndpoints } from '@guidon/contract/endpoints'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { chunkContext } from '../../../api/src/features/documents/receive/chunks.ts'
import { notMeLink } from '../../../api/src/features/linking/not-me.ts'
import { noticeToken } from '../../../api/src/features/notices/link.ts'
import { readBrand } from '../../../api/src/platform/brand.ts'
import { consentHash } from '../../../api/src/platform/consent-hash.ts'
import { sealer } from '../../../api/src/platform/crypto/sealer.ts'
import { tokens } from '../../../api/src/platform/tokens.ts'
import type { TestApp } from '../../support/boot.ts'
import { folderOf } from '../../support/box.ts'
import { userIdOf } from '../../support/databases.ts'
import { newFile } from '../../support/documents.ts'
import { samplePdf } from '../../support/files/made-pdf.ts'
import { newToken } from '../../support/hand-off.ts'
import { linkTo } from '../../support/links.ts'
import { mailbox } from '../../support/mailbox.ts'
import { NEW_PASSWORD, resetTokenFor } from '../../support/reset-link.ts'
import { metadataOf, partHeaders, TUS } from '../../support/resumable.ts'
import { formOf } from '../../support/test-client.ts'

export interface Account {
  email: string
  password: string
}

/** Returns a valid body for a request about the account, after preparing what the request needs to succeed. */
type MakeBody = (subject: Account) => Promise<object>

/** `caller` is the email of the calling account. A document that the parameters name must belong to it. */
type MakeParams = (caller: string) => Promise<Record<string, string>>

const PDF = samplePdf()

/** The endpoints that have these parts. With `satisfies`, a new endpoint needs its valid request. */
type NameWith<Part> = {
  [Name in keyof NamedEndpoints]: NamedEndpoints[Name] extends Part ? Name : never
}[keyof NamedEndpoints]

/** The headers that a request needs besides those of every request. */
export const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  createUpload: {
    ...TUS,
    'upload-length': '100',
    'upload-metadata': metadataOf({ filename: 'a.pdf', documentType: 'Other' }),
  },
  getUploadOffset: TUS,
  appendToUpload: partHeaders(0),
  deleteUpload: TUS,
}

const newPassword = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }

/** The body of `appendToUpload` is bytes, so it has no schema. */
type NameWithBody = NameWith<{ body: unknown } | { form: unknown }> | 'appendToUpload'

export function bodies(testApp: TestApp): Readonly<Record<string, MakeBody>> {
  const { newClient, sql } = testApp
  const verify: MakeBody = async ({ email }) => {
    const [mail] = await mailbox.mailsTo(email, { waitMs: 0 })
    return { email, code: mail?.text.match(/\b\d{6}\b/)?.[0] ?? '123456' }
  }
  return {
    register: async () => ({
      email: `${randomUUID()}@example.com`,
      password: NEW_PASSWORD,
      firstName: 'Maria',
      lastName: 'Delgado',
      phone: '6195550177',
      state: 'Texas',
    }),
    verifyEmail: verify,
    login: async (subject) => subject,
    verifyLogin: verify,
    resendVerificationCode: async ({ email }) => {
      await sql.query(
        `update challenges set sent_at = sent_at - interval '1 minute'
         where user_id = (select id from users where email = $1)`,
        [email],
      )
      return { email, verificationType: 'login' }
    },
    forgotPassword: async ({ email }) => ({ email }),
    resetPassword: async ({ email }) => ({
      token: await resetTokenFor(newClient(), email),
      ...newPassword,
    }),
    changePassword: async ({ password }) => ({ currentPassword: password, ...newPassword }),
    requestContact: async () => ({ method: 'Call' }),
    acceptConsents: async () => {
      const { consents } = readBrand(testApp.config.BRAND_DIR).brand.legal
      const accepted = consents.map((consent) => ({
        kind: consent.kind,
        hash: consentHash(consent).toString('hex'),
      }))
      return { accepted }
    },
    saveIntake: async () => ({ city: 'San Diego' }),
    uploadDocument: async () => formOf(newFile(), { documentType: 'Other' }),
    replaceDocument: async () => formOf(newFile()),
    appendToUpload: async () => new Uint8Array(PDF),
    createHandOff: async () => ({ documentType: 'Other' }),
    openHandOff: async ({ email }) => ({
      token: (await addHandOff(testApp, email)).token,
      attempt: newToken(),
    }),
    reportPages: async () => ({ pages: 3 }),
    sendFromPhone: async () => formOf(newFile()),
    setNoticePreference: async () => ({ kind: 'claimStep', on: false }),
    setNoticePreferenceByToken: async () => ({
      token: await newNoticeToken(testApp),
      kind: 'claimStep',
      on: false,
    }),
    updateUser: async () => ({ boxFolderId: await addFolder(testApp) }),
    resetUserPassword: async () => newPassword,
    decideLink: async () => ({ decision: 'refuse', reason: 'Called the veteran.' }),
    reportNotMe: async () => ({ token: await newNotMeToken(testApp) }),
  } satisfies Record<NameWithBody, MakeBody>
}

export function params(testApp: TestApp): Readonly<Record<string, MakeParams>> {
  const { account, sql, config } = testApp
  const ownHandOff: MakeParams = async (caller) => ({ id: (await addHandOff(testApp, caller)).id })
  const newVeteran = async () => ({ id: await userIdOf(sql, (await account()).email) })
  const newQuestion = async () => ({
    id: await addWaitingLink(sql, await userIdOf(sql, (await account()).email)),
  })
  return {
    getDocumentsOf: async () => ({ id: await linkContact(sql, (await account()).email) }),
    replaceDocument: async (caller) => ({ id: await addDocument(sql, caller) }),
    getUploadOffset: async (caller) => ({ id: await addUnfinishedUpload(sql, caller) }),
    appendToUpload: async (caller) => ({ id: await addUnfinishedUpload(sql, caller) }),
    deleteUpload: async (caller) => ({ id: await addUnfinishedUpload(sql, caller) }),
    finishUpload: async (caller) => {
      const id = await addUnfinishedUpload(sql, caller, PDF.length)
      await addChunk(sql, { id, userId: await userIdOf(sql, caller) }, config.DATA_KEYS)
      return { id }
    },
    getContent: async (caller) => ({ id: await addStoredDocument(testApp, caller) }),
    getContentOf: async () => {
      const { email } = await account()
      return { userId: await userIdOf(sql, email), id: await addStoredDocument(testApp, email) }
    },
    withdrawConsent: async (caller) => ({ kind: await addOptionalConsent(sql, caller) }),
    getHandOff: ownHandOff,
    endHandOff: ownHandOff,
    updateUser: newVeteran,
    deactivateUser: newVeteran,
    reactivateUser: newVeteran,
    getProgressOf: newVeteran,
    getCrmRefusals: newVeteran,
    getEmailReachable: newVeteran,
    getDeliveriesOf: newVeteran,
    resetUserPassword: newVeteran,
    getLinkToConfirm: newQuestion,
    decideLink: newQuestion,
    previewContact: newVeteran,
    getFolder: newVeteran,
    previewFolder: newVeteran,
  } satisfies Record<NameWith<{ path: `${string}{${string}` }>, MakeParams>
}

/** The query of a valid request, for endpoints that need one. */
export function queries(
  testApp: TestApp,
): Readonly<Record<string, () => Promise<Record<string, string>>>> {
  const token = async () => ({ token: await newNoticeToken(testApp) })
  return {
    getNoticePreferencesByToken: token,
    unsubscribe: token,
    previewContact: async () => ({ salesforceId: await addContact(testApp.sql) }),
    previewFolder: async () => ({ boxFolderId: await addFolder(testApp) }),
  }
}

const sandboxOf = ({ config }: TestApp) => new BoxSandboxClient(config.BOX_API_URL!)

/** A folder in Box that belongs to nobody, and that a worker has opened for each account. */
async function addFolder(testApp: TestApp): Promise<string> {
  const { id } = await sandboxOf(testApp).addFolder(randomUUID())
  await testApp.sql.query(
    `insert into box_folders (user_id, folder_id, opened_at, name) select id, $1, now(), 'Folder' from users`,
    [id],
  )
  return id
}

/** A contact of the mirror that belongs to nobody. */
async function addContact(sql: TestApp['sql']): Promise<string> {
  const id = `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
  await sql.query(
    `insert into crm_contact (id, modified_at, deleted, last_name) values ($1, now(), false, 'Moore')`,
    [id],
  )
  return id
}

/** A link that waits for staff. Returns its id. */
export async function addWaitingLink(sql: TestApp['sql'], userId: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into links (user_id, contact_id, origin, state, question, asked_at)
     values ($1, $2, 'staff', 'waiting', 'differs', now()) returning id`,
    [userId, await addContact(sql)],
  )
  return rows[0]!.id
}

/** The token of "This was not me" in an email to a new veteran. */
async function newNotMeToken({ account, sql, config }: TestApp): Promise<string> {
  const { email } = await account()
  await linkContact(sql, email)
  const { rows } = await sql.query<{ id: string }>(
    `select links.id from links join users on users.id = user_id where email = $1`,
    [email],
  )
  return new URL(
    notMeLink('https://portal.example', tokens(config.TOKEN_KEY), rows[0]!.id),
  ).hash.slice(1)
}

/** Replaces the account's hand-off (which lets a phone send one document for the account), as if the account had signed in and created it. */
export async function addHandOff({ config, sql }: Pick<TestApp, 'config' | 'sql'>, email: string) {
  const { make, hash } = tokens(config.TOKEN_KEY)
  const token = make()
  await sql.query('delete from hand_offs using users where users.id = user_id and email = $1', [
    email,
  ])
  const { rows } = await sql.query<{ id: string }>(
    `with owner as (select id from users where email = $1),
     session as (
       insert into sessions (user_id, idle_limit, expires_at)
       select id, '30 minutes', now() + interval '1 hour' from owner returning id, user_id)
     insert into hand_offs (user_id, session_id, token_hash, document_type, expires_at)
     select user_id, id, $2, 'Other', now() + interval '15 minutes' from session
     returning id`,
    [email, hash('hand-off', token)],
  )
  return { id: rows[0]!.id, token }
}

/** Of a link in an email to a new veteran. */
export async function newNoticeToken({ account, sql, config }: TestApp): Promise<string> {
  const userId = await userIdOf(sql, (await account()).email)
  return noticeToken(tokens(config.TOKEN_KEY), { userId, kinds: ['appointment'] })
}

async function addDocument(sql: TestApp['sql'], email: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into documents (user_id, name, type, size, sha256)
     select id, $2, 'Other', 1, '' from users where email = $1 returning id`,
    [email, `${randomUUID()}.pdf`],
  )
  return rows[0]!.id
}

/** Returns the kind of a consent that the account gave and may withdraw. */
async function addOptionalConsent(sql: TestApp['sql'], email: string): Promise<string> {
  await sql.query(
    `with text as (
       insert into consent_texts (hash, title, shown) values (sha256('Questions'), 'Questions', 'Questions')
       on conflict (hash) do update set title = excluded.title returning hash)
     insert into consents (user_id, kind, version, text_hash)
     select users.id, 'feedback', '1', hash from users, text where email = $1
     on conflict do nothing`,
    [email],
  )
  return 'feedback'
}

/** Returns the id of an upload of `PDF` that is not finished. */
async function addUnfinishedUpload(
  sql: TestApp['sql'],
  email: string,
  received = 0,
): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into unfinished_uploads (user_id, name, fields, size, received, expires_at)
     select id, $2, '{"documentType":"Other"}', $3, $4, now() + interval '1 day'
     from users where email = $1 returning id`,
    [email, `${randomUUID()}.pdf`, PDF.length, received],
  )
  return rows[0]!.id
}

async function addChunk(
  sql: TestApp['sql'],
  { id, userId }: { id: string; userId: string },
  keys: readonly Buffer[],
): Promise<void> {
  const { keyId, bytes } = sealer(keys).seal(PDF, chunkContext({ id, userId, size: PDF.length }, 0))
  await sql.query(
    `insert into upload_chunks (upload_id, start, key_id, bytes, sha256)
     values ($1, 0, $2, $3, sha256($4))`,
    [id, keyId, bytes, PDF],
  )
}

/** Returns the id of a document that Box has. */
export async function addStoredDocument(testApp: TestApp, email: string): Promise<string> {
  const box = sandboxOf(testApp)
  const { sql } = testApp
  const folderId = await folderOf(box, sql, await userIdOf(sql, email))
  const { id: boxFileId } = await box.addFile(folderId, randomUUID(), new Uint8Array(samplePdf()))
  const id = await addDocument(sql, email)
  await sql.query('update documents set box_file_id = $2 where id = $1', [id, boxFileId])
  return id
}

/** Links the account to a new CRM contact id and returns that id. */
export async function linkContact(sql: TestApp['sql'], email: string): Promise<string> {
  const id = `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
  await linkTo(sql, { email }, id)
  return id
}
