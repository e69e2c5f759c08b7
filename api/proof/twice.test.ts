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
import { figures, size } from './size.ts'

const PEOPLE = size(6, 100)
/** Whether the provider has a contact of someone who signs up, and since when. */
const KNOWN = ['in the mirror', 'only in the CRM', 'not at all'] as const
type Known = (typeof KNOWN)[number]

const [org, box] = await Promise.all([newOrg(), newBox()])
const people = Array.from({ length: PEOPLE }, (_, index) => ({
  email: `${randomUUID()}@example.com`,
  known: KNOWN[index % KNOWN.length]!,
  // Some are found by their last name, some by their phone.
  contact:
    index % 2 === 0
      ? { LastName: NEWCOMER.lastName, Phone: '(202) 555-0100' }
      : { LastName: 'Alvarez-Moore', Phone: '+1 (619) 555-0104' },
}))
const whoIs = (known: Known) => people.filter((client) => client.known === known)
const addContacts = (known: Known) =>
  limitedConcurrency(whoIs(known).length, (index) => {
    const { email, contact } = whoIs(known)[index]!
    const own = { FirstName: 'Maria del Carmen', MailingState: 'Oregon', MailingCity: 'Portland' }
    return org.staff('add-contact', { ...contact, ...own, Email: email.toUpperCase() })
  })

await addContacts('in the mirror')
const testApp = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '3600' },
})
const { sql } = testApp

/** What the portal writes to a contact of the provider's by design, and what the CRM notes of each write. */
const OURS = new Set([
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
      ([name, value]) => !OURS.has(name) && !isDeepStrictEqual(value, now.get(contact.Id)?.[name]),
    ),
  )
  return changes.length
}

/** The calls whose answers are lost while someone signs up; the call itself takes effect. */
const LOST = ['/composite', 'PATCH', '/query', '/services/data'] as const

/** Everything that a veteran can set off, so that every queue has had work. */
async function live(index: number): Promise<void> {
  const { email } = people[index]!
  await org.fault({ mode: 'lost', match: LOST[index % LOST.length]!, times: 2 })
  const { person: client } = await testApp.signedUp(email)
  await client.call(requestContact, { body: { method: 'Call' } })
  await client.call(requestContact, { body: { method: 'Email' } })
  await client.call(saveIntake, { body: { city: 'San Diego', submit: true } })
  const file = { name: `${randomUUID()}.pdf`, bytes: samplePdf() }
  await client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
  const [last] = await mailbox.mailsTo(email)
  const another = await testApp.signedIn({ email, password: PASSWORD }, last)
  await another.call(forgotPassword, { body: { email } })
}

const unfinished = `from pgboss.job where state in ('created', 'retry', 'active')
  and name not like '%.dead' and name not like '\\_\\_%'`
/** Without waiting for the pauses between tries, nor for the end of a batch that gets one receipt. */
const settled = () =>
  vi.waitUntil(
    async () => {
      await sql.query(
        `update pgboss.job set start_after = now() where (name, id) in (
           select name, id ${unfinished} and start_after > now() for update skip locked)`,
      )
      return (await sql.query(`select ${unfinished}`)).rowCount === 0
    },
    { timeout: size(60_000, 300_000), interval: 100 },
  )

async function effects() {
  const mails = await Promise.all(people.map(({ email }) => mailbox.mailsTo(email, { waitMs: 0 })))
  const contacts = await allContacts()
  const requests = await org.rows<{ Id: string }>('Contact_Request__c')
  const intakes = await org.rows<{ Id: string }>('Intake__c')
  const documents = await org.rows<{ Id: string }>('Document_Request__c')
  const files = await box.files()
  const { rows } = await sql.query(
    'select email, salesforce_id, linked_at is not null as linked from users order by email',
  )
  return {
    mails: mails.map((of) => of.map(({ subject }) => subject)),
    contacts: contacts.map(({ Id }) => Id),
    requests: requests.map(({ Id }) => Id),
    intakes: intakes.map(({ Id }) => Id),
    documents: documents.map(({ Id }) => Id),
    versions: files.map(({ id, versions }) => [id, versions.length]),
    accounts: rows,
  }
}

/** Links that are in the audit log, by account. */
async function auditedLinks(): Promise<number[]> {
  const { rows } = await sql.query<{ links: number }>(
    `select count(*)::int as links from audit_events where event = 'account_linked'
     group by subject_id`,
  )
  return rows.map(({ links }) => links)
}

const lostAnswers = () => testApp.logged().split('"code":"NETWORK"').length - 1

it('every job delivered twice, and out of order, and with lost answers, has one effect', async () => {
  await vi.waitUntil(async () => {
    const { rowCount } = await sql.query('select from crm_contact where email is not null')
    return rowCount === whoIs('in the mirror').length
  }, 15_000)
  await addContacts('only in the CRM')
  const before = await allContacts()

  await limitedConcurrency(PEOPLE, live)
  await settled()
  const once = await effects()
  const changedOnce = changedFields(before, await allContacts())
  const audited = await auditedLinks()
  const lost = lostAnswers()
  const linked = await sql.query('select from users where linked_at is not null')

  // As if each worker had died between the CRM's answer and its own commit: the entries, the contacts that
  // it found or made, and the ids of documents. What was committed before the call stays.
  const { rowCount: entries } = await sql.query('update crm_outbox set sent_at = null')
  await sql.query(
    `update users set salesforce_id = null, linked_at = null where email = any($1::text[])`,
    [people.filter(({ known }) => known !== 'in the mirror').map(({ email }) => email)],
  )
  await sql.query('update documents set crm_id = null')
  await org.fault({ mode: 'lost', times: PEOPLE })
  const { rows: again } = await sql.query<{ name: string }>(
    `update pgboss.job set state = 'created', started_on = null, completed_on = null, output = null,
       priority = floor(random() * 100)
     where state = 'completed' and name not like '\\_\\_%' returning name`,
  )
  await settled()
  const twice = await effects()
  const changedTwice = changedFields(before, await allContacts())

  figures('jobs delivered twice', {
    people: PEOPLE,
    queues: new Set(again.map(({ name }) => name)).size,
    jobs: again.length,
    'entries of the outbox': entries ?? 0,
    'answers of the CRM lost': lostAnswers(),
    'further effects': Number(JSON.stringify(once) !== JSON.stringify(twice)),
  })
  figures("the provider's own contacts", {
    'in the mirror': whoIs('in the mirror').length,
    'only in the CRM': whoIs('only in the CRM').length,
    linked: linked.rowCount ?? 0,
    'audited links': audited.length,
    'fields changed': changedOnce + changedTwice,
  })
  expect(lost).toBeGreaterThan(0)
  expect(again.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'auth.send-code',
      'auth.send-notice',
      'auth.send-reset-link',
      'crm.send',
      'crm.refresh-veteran',
      'intake.send-received',
      'documents.store',
      'documents.send-receipt',
    ]),
  )
  expect(twice).toEqual(once)
  expect([changedOnce, changedTwice]).toEqual([0, 0])
  expect(linked.rowCount).toBe(before.length)
  expect(audited).toEqual(before.map(() => 1))
  expect(twice.contacts).toHaveLength(PEOPLE)
})
