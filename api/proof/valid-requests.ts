import { randomInt, randomUUID } from 'node:crypto'
import type { boot } from '../test/boot.ts'
import { samplePdf } from '../test/files/made-pdf.ts'
import { newToken } from '../test/hand-off.ts'
import { mailbox } from '../test/mailbox.ts'
import { formOf } from '../test/test-client.ts'
import { addHandOff } from './hand-off.ts'
import type { Account } from './principals.ts'
import { NEW_PASSWORD, resetTokenFor } from './reset-link.ts'

type TestApp = Pick<Awaited<ReturnType<typeof boot>>, 'account' | 'newClient' | 'sql' | 'config'>

/** Returns a valid body for a request about the account, after preparing what the request needs to succeed. */
type MakeBody = (subject: Account) => Promise<object>

/** `caller` is the email of the calling account. A document that the parameters name must belong to it. */
type MakeParams = (caller: string) => Promise<Record<string, string>>

const newPassword = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }

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
    saveIntake: async () => ({ city: 'San Diego' }),
    uploadDocument: async () => formOf(newFile(), { documentType: 'Other' }),
    replaceDocument: async () => formOf(newFile()),
    createHandOff: async () => ({ documentType: 'Other' }),
    openHandOff: async ({ email }) => ({
      token: (await addHandOff(testApp, email)).token,
      attempt: newToken(),
    }),
    reportPages: async () => ({ pages: 3 }),
    sendFromPhone: async () => formOf(newFile()),
    updateUser: async () => ({ boxFolderId: String(randomInt(2 ** 47)) }),
    resetUserPassword: async () => newPassword,
  }
}

export function params(testApp: TestApp): Readonly<Record<string, MakeParams>> {
  const { account, sql } = testApp
  const ownHandOff: MakeParams = async (caller) => ({ id: (await addHandOff(testApp, caller)).id })
  const newVeteran = async () => ({ id: await idOf(sql, (await account()).email) })
  return {
    getDocumentsOf: async () => ({ id: await linkContact(sql, (await account()).email) }),
    replaceDocument: async (caller) => ({ id: await addDocument(sql, caller) }),
    getHandOff: ownHandOff,
    endHandOff: ownHandOff,
    updateUser: newVeteran,
    deactivateUser: newVeteran,
    reactivateUser: newVeteran,
    getProgressOf: newVeteran,
    getCrmRefusals: newVeteran,
    resetUserPassword: newVeteran,
  }
}

export async function idOf(sql: TestApp['sql'], email: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]!.id
}

const newFile = () => ({ name: `${randomUUID()}.pdf`, bytes: samplePdf() })

async function addDocument(sql: TestApp['sql'], email: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into documents (user_id, name, type, size, sha256)
     select id, $2, 'Other', 1, '' from users where email = $1 returning id`,
    [email, `${randomUUID()}.pdf`],
  )
  return rows[0]!.id
}

/** Links the account to a new CRM contact id and returns that id. */
export async function linkContact(sql: TestApp['sql'], email: string): Promise<string> {
  const id = `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
  await sql.query('update users set salesforce_id = $1, linked_at = now() where email = $2', [
    id,
    email,
  ])
  return id
}
