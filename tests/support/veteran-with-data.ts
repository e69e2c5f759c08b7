import { randomUUID } from 'node:crypto'
import { login } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { getDocumentsOf, uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { forgotPassword } from '@guidon/contract/password'
import { PART_MIN_BYTES } from '@guidon/contract/resumable-uploads'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { vi } from 'vitest'
import { boot } from './boot.ts'
import { newBox } from './box.ts'
import { userIdOf } from './databases.ts'
import { newPdf, WAIT_OPTIONS } from './documents.ts'
import { mailbox } from './mailbox.ts'
import { newOrg } from './org.ts'
import { PASSWORD } from './outside/account.ts'
import { append, create, idOf } from './resumable.ts'
import type { TestClient } from './test-client.ts'

export const NAME = { firstName: 'Zebulonia', lastName: 'Quartermainex' }
export const WRONG_PASSWORD = 'Wrong-Lantern-42!'
/** Differs by test process: all of them share the mailbox. */
export const EMAIL = `planted.${randomUUID()}@example.com`
export const PHONE = '4155559137'
/** A long ZIP Code, because five digits alone can occur in a timestamp. */
/** Of a draft. */
export const ANSWERS = { street: '77 Plantedstreet Way', city: 'Plantedville', zip: '91357-2468' }
const BIRTH_DATE = '1961-07-19'
const CLINIC = { clinicName: 'Planted Clinic of Toledo', clinicPhone: '4195550199' }
export const REQUESTED_DOCUMENT = {
  name: 'Planted buddy statement',
  reason: 'Planted reason of a request',
  statusReason: 'Planted reason of a status',
}
export const CLAIM = {
  title: 'Planted knee claim',
  reason: 'Planted reason of a stage',
  nextStep: 'Planted next step',
}
const FOLDER = { name: 'Planted folder of a veteran', parentName: 'Planted folder of folders' }
export const STORED_FILE_NAME = 'planted-discharge.pdf'
export const WAITING_FILE_NAME = 'planted-letter.pdf'
export const UNFINISHED_FILE_NAME = 'planted-scan.pdf'
const NOTE = 'Planted note about page 3'
/** As a submitted intake leaves it with the account. */
const SUBMITTED = { street: '31 Plantedcourt', city: 'Submittedplanted', zip: '80301-9876' }
export const MAILING_ADDRESS = { MailingStreet: '9 Plantedlane', MailingCity: 'Mirrorplanted' }

/** The columns of accounts, sign-ups and the mirror that contain the same field of a person. */
const ofPerson = (field: string) =>
  ['users', 'sign_ups', 'crm_contact'].map((table) => `${table}.${field}`)

/** Values that are plain text in the database, with every column that may contain them (`docs/security/data.md`). */
export const PLAIN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [EMAIL]: ofPerson('email'),
  [NAME.firstName]: ofPerson('first_name'),
  [NAME.lastName]: ofPerson('last_name'),
  [PHONE]: ofPerson('phone'),
  [MAILING_ADDRESS.MailingStreet]: ['crm_contact.street'],
  [MAILING_ADDRESS.MailingCity]: ['crm_contact.city'],
  [SUBMITTED.street]: ['users.address'],
  [SUBMITTED.city]: ['users.address'],
  [SUBMITTED.zip]: ['users.address'],
  [CLINIC.clinicName]: ['crm_appointment.clinic_name'],
  [CLINIC.clinicPhone]: ['crm_appointment.clinic_phone'],
  [REQUESTED_DOCUMENT.name]: ['crm_document.name'],
  [REQUESTED_DOCUMENT.reason]: ['crm_document.reason'],
  [REQUESTED_DOCUMENT.statusReason]: ['crm_document.status_reason'],
  [CLAIM.title]: ['crm_claim.title'],
  [CLAIM.reason]: ['crm_claim.stage_reason'],
  [CLAIM.nextStep]: ['crm_claim.next_step'],
  [FOLDER.name]: ['box_folders.name'],
  [FOLDER.parentName]: ['box_folders.parent_name'],
  [STORED_FILE_NAME]: ['documents.name', 'crm_document.name'],
  [WAITING_FILE_NAME]: ['documents.name'],
  [UNFINISHED_FILE_NAME]: ['unfinished_uploads.name'],
  [NOTE]: ['documents.note', 'unfinished_uploads.fields'],
}
/** Names of folders may be those of somebody else. */
export const NOT_EXPORTED: readonly string[] = Object.values(FOLDER)
export const PLAIN_VALUES = Object.keys(PLAIN_COLUMNS)
/** Values that are encrypted in the database. */
export const ENCRYPTED_VALUES = [...Object.values(ANSWERS), BIRTH_DATE]

export const BYTES = newPdf(2 * PART_MIN_BYTES)
export const UNFINISHED_BYTES = BYTES.subarray(0, PART_MIN_BYTES)
export const upload = (client: TestClient, name: string) =>
  client.upload(
    uploadDocument,
    { name, bytes: BYTES },
    { fields: { documentType: 'Other', note: NOTE } },
  )

interface Environments {
  environment?: Record<string, string>
  workerEnvironment?: Record<string, string>
}

/** Starts the app with a veteran who has data of every kind, all of it easy to search for. */
export async function bootWithVeteran({ environment, workerEnvironment }: Environments = {}) {
  const [box, org] = await Promise.all([newBox(), newOrg()])
  const testApp = await boot({
    environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '1', ...environment },
    ...(workerEnvironment && { workerEnvironment }),
  })
  const { sql, admin } = testApp

  const signUpAs = async (email: string) => {
    const client = testApp.newClient()
    const newcomer = { ...NAME, email, password: PASSWORD, phone: PHONE, state: 'Ohio' as const }
    const nextCode = await mailbox.nextCode(email)
    await client.call(register, { body: newcomer })
    const code = await nextCode()
    const { status } = await client.call(verifyEmail, { body: { email, code } })
    if (status !== 200) throw new Error(`the sign-up failed with status ${status}`)
    return { client, userId: await userIdOf(sql, email) }
  }

  const folder = await box.addFolder(FOLDER.name, (await box.addFolder(FOLDER.parentName)).id)
  const contactId = await org.staff('add-contact', {
    Box_Folder_Id__c: folder.id,
    FirstName: NAME.firstName,
    LastName: NAME.lastName,
    Email: EMAIL,
    Phone: PHONE,
    ...MAILING_ADDRESS,
  })
  await org.staff('add-appointment', { contactId, date: '2031-05-06', time: '09:30', ...CLINIC })
  await org.staff('request-document', { contactId, ...REQUESTED_DOCUMENT, type: 'Other' })
  await org.staff('add-claim', { contactId, ...CLAIM, stage: 'Case Review' })
  const isMirrored = async () => {
    const { rows } = await sql.query(
      `select from crm_contact join crm_appointment a on a.contact_id = crm_contact.id
       join crm_document d on d.contact_id = crm_contact.id
       join crm_claim c on c.contact_id = crm_contact.id where crm_contact.id = $1`,
      [contactId],
    )
    return rows.length === 1
  }
  await vi.waitUntil(isMirrored, WAIT_OPTIONS)
  const { client, userId } = await signUpAs(EMAIL)
  await client.call(saveIntake, { body: { ...ANSWERS, dateOfBirth: BIRTH_DATE } })
  await sql.query('update users set address = $2 where id = $1', [userId, SUBMITTED])
  await client.call(requestContact, { body: { method: 'Call' } })
  await client.call(forgotPassword, { body: { email: EMAIL } })
  await testApp.newClient().call(login, { body: { email: EMAIL, password: WRONG_PASSWORD } })
  await testApp.newClient().call(register, {
    body: { ...NAME, email: EMAIL, password: PASSWORD, phone: PHONE, state: 'Ohio' },
  })
  await upload(client, STORED_FILE_NAME)
  await vi.waitUntil(
    async () => (await box.files()).some(({ name }) => name === STORED_FILE_NAME),
    WAIT_OPTIONS,
  )
  await vi.waitUntil(async () => (await admin.files.status()).waiting === 0, WAIT_OPTIONS)
  await vi.waitUntil(async () => (await admin.crm.status()).outbox.waiting === 0, WAIT_OPTIONS)
  const staff = await testApp.withSession(await testApp.account('STAFF'))
  await staff.call(getDocumentsOf, { params: { id: contactId } })
  await box.fault({ mode: '503' })
  await upload(client, WAITING_FILE_NAME)
  const unfinished = await create(client, BYTES.length, {
    filename: UNFINISHED_FILE_NAME,
    note: NOTE,
  })
  await append(client, idOf(unfinished), 0, UNFINISHED_BYTES)

  return { testApp, box, org, signUpAs, client, userId, contactId }
}
