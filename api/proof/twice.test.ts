import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { requestContact } from '@guidon/contract/contact'
import { uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { forgotPassword } from '@guidon/contract/password'
import { expect, it, vi } from 'vitest'
import { boot, NEWCOMER, PASSWORD } from '../test/boot.ts'
import { newBox } from '../test/box.ts'
import { samplePdf } from '../test/files/made-pdf.ts'
import { mailbox } from '../test/mailbox.ts'
import { newOrg } from '../test/org.ts'
import { limitedConcurrency } from './concurrency.ts'
import { figures, gateOrFull } from './size.ts'

const VETERANS = gateOrFull(4, 100)
/** Where a contact exists before the veteran signs up. */
const CONTACT_STATES = ['in the mirror', 'only in the CRM', 'nowhere'] as const
type ContactState = (typeof CONTACT_STATES)[number]

const [org, box] = await Promise.all([newOrg(), newBox()])
const veterans = Array.from({ length: VETERANS }, (_, index) => ({
  email: `${randomUUID()}@example.com`,
  contactState: CONTACT_STATES[index % CONTACT_STATES.length]!,
  // Half of the contacts match by last name, the others by phone.
  contact:
    index % 2 === 0
      ? { LastName: NEWCOMER.lastName, Phone: '(202) 555-0100' }
      : { LastName: 'Alvarez-Moore', Phone: '+1 (619) 555-0104' },
}))
const veteransWith = (contactState: ContactState) =>
  veterans.filter((veteran) => veteran.contactState === contactState)
const addContacts = (contactState: ContactState) =>
  limitedConcurrency(veteransWith(contactState).length, (index) => {
    const { email, contact } = veteransWith(contactState)[index]!
    const otherFields = {
      FirstName: 'Maria del Carmen',
      MailingState: 'Oregon',
      MailingCity: 'Portland',
    }
    return org.staff('add-contact', { ...contact, ...otherFields, Email: email.toUpperCase() })
  })

await addContacts('in the mirror')
const testApp = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '3600' },
})
const { sql } = testApp

/** Fields that the portal may write to a contact of the provider, and the CRM's own timestamps. */
const WRITABLE = new Set([
  'Portal_User_Id__c',
  'Box_Folder_Id__c',
  'SystemModstamp',
  'LastModifiedDate',
])
type Contact = Record<string, unknown> & { Id: string }
const allContacts = () => org.rows<Contact>('Contact')

function changedFields(before: readonly Contact[], after: readonly Contact[]): number {
  const now = new Map(after.map((contact) => [contact.Id, contact]))
  const changes = before.flatMap((contact) =>
    Object.entries(contact).filter(
      ([name, value]) =>
        !WRITABLE.has(name) && !isDeepStrictEqual(value, now.get(contact.Id)?.[name]),
    ),
  )
  return changes.length
}

/** Calls that take effect although their response is lost. */
const LOST_RESPONSES = ['/composite', 'PATCH', '/query', '/services/data'] as const

/** Does everything that creates a job, so that every queue is used. */
async function useEverything(index: number): Promise<void> {
  const { email } = veterans[index]!
  await org.fault({ mode: 'lost', match: LOST_RESPONSES[index % LOST_RESPONSES.length]!, times: 2 })
  const { client } = await testApp.signedUp(email)
  await client.call(requestContact, { body: { method: 'Call' } })
  await client.call(requestContact, { body: { method: 'Email' } })
  await client.call(saveIntake, { body: { city: 'San Diego', submit: true } })
  const file = { name: `${randomUUID()}.pdf`, bytes: samplePdf() }
  await client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
  const [last] = await mailbox.mailsTo(email)
  const otherClient = await testApp.signedIn({ email, password: PASSWORD }, { after: last })
  await otherClient.call(forgotPassword, { body: { email } })
}

const fromUnfinishedJobs = `from pgboss.job where state in ('created', 'retry', 'active')
  and name not like '%.dead' and name not like '\\_\\_%'`
/** Waits until all jobs are done and all entries sent, skipping delays between tries, between rounds and before a receipt. */
const waitUntilDone = () =>
  vi.waitUntil(
    async () => {
      await sql.query(
        `update pgboss.job set start_after = now() where (name, id) in (
           select name, id ${fromUnfinishedJobs} and start_after > now() for update skip locked)`,
      )
      await sql.query('update crm_outbox set retry_at = null where retry_at > now()')
      await sql.query('update crm_sender set next_round_at = now() where next_round_at > now()')
      const { rowCount: jobs } = await sql.query(`select ${fromUnfinishedJobs}`)
      const { rowCount: entries } = await sql.query('select from crm_outbox where sent_at is null')
      return jobs === 0 && entries === 0
    },
    { timeout: gateOrFull(60_000, 300_000), interval: 100 },
  )

async function effects() {
  const mails = await Promise.all(
    veterans.map(({ email }) => mailbox.mailsTo(email, { waitMs: 0 })),
  )
  const contacts = await allContacts()
  const requests = await org.rows<{ Id: string }>('Contact_Request__c')
  const intakes = await org.rows<{ Id: string }>('Intake__c')
  const documents = await org.rows<{ Id: string }>('Document_Request__c')
  const files = await box.files()
  const { rows } = await sql.query(
    'select email, salesforce_id, linked_at is not null as linked from users order by email',
  )
  return {
    mails: mails.map((mailsToOne) => mailsToOne.map(({ subject }) => subject)),
    contacts: contacts.map(({ Id }) => Id),
    requests: requests.map(({ Id }) => Id),
    intakes: intakes.map(({ Id }) => Id),
    documents: documents.map(({ Id }) => Id),
    versions: files.map(({ id, versions }) => [id, versions.length]),
    accounts: rows,
  }
}

async function auditedLinks(): Promise<number[]> {
  const { rows } = await sql.query<{ links: number }>(
    `select count(*)::int as links from audit_events where event = 'account_linked'
     group by subject_id`,
  )
  return rows.map(({ links }) => links)
}

const countLostResponses = () => testApp.logged().split('"code":"NETWORK"').length - 1

it('every job takes effect once, although delivered twice, out of order and with lost responses', async () => {
  await vi.waitUntil(async () => {
    const { rowCount } = await sql.query('select from crm_contact where email is not null')
    return rowCount === veteransWith('in the mirror').length
  }, 60_000)
  await addContacts('only in the CRM')
  const before = await allContacts()

  await limitedConcurrency(VETERANS, useEverything)
  await waitUntilDone()
  const effectsOnce = await effects()
  const changedOnce = changedFields(before, await allContacts())
  const audited = await auditedLinks()
  const lost = countLostResponses()
  const linked = await sql.query('select from users where linked_at is not null')

  // As if each worker had been killed between the CRM's response and its own commit.
  const { rowCount: entries } = await sql.query('update crm_outbox set sent_at = null')
  await sql.query(
    `update users set salesforce_id = null, linked_at = null where email = any($1::text[])`,
    [
      veterans
        .filter(({ contactState }) => contactState !== 'in the mirror')
        .map(({ email }) => email),
    ],
  )
  await sql.query('update documents set crm_id = null')
  await org.fault({ mode: 'lost', times: VETERANS })
  const { rows: redelivered } = await sql.query<{ name: string }>(
    `update pgboss.job set state = 'created', started_on = null, completed_on = null, output = null,
       priority = floor(random() * 100)
     where state = 'completed' and name not like '\\_\\_%' returning name`,
  )
  await waitUntilDone()
  const effectsTwice = await effects()
  const changedTwice = changedFields(before, await allContacts())

  figures('jobs delivered twice', {
    veterans: VETERANS,
    queues: new Set(redelivered.map(({ name }) => name)).size,
    jobs: redelivered.length,
    'outbox entries': entries ?? 0,
    'lost CRM responses': countLostResponses(),
    'further effects': Number(JSON.stringify(effectsOnce) !== JSON.stringify(effectsTwice)),
  })
  figures("the provider's own contacts", {
    'in the mirror': veteransWith('in the mirror').length,
    'only in the CRM': veteransWith('only in the CRM').length,
    linked: linked.rowCount ?? 0,
    'audited links': audited.length,
    'fields changed': changedOnce + changedTwice,
  })
  expect(lost).toBeGreaterThan(0)
  expect(redelivered.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'auth.send-code',
      'auth.send-notice',
      'auth.send-reset-link',
      'crm.refresh-veteran',
      'intake.send-received',
      'documents.store',
      'documents.send-receipt',
    ]),
  )
  expect(effectsTwice).toEqual(effectsOnce)
  expect([changedOnce, changedTwice]).toEqual([0, 0])
  expect(linked.rowCount).toBe(before.length)
  expect(audited).toEqual(before.map(() => 1))
  expect(effectsTwice.contacts).toHaveLength(VETERANS)
})
