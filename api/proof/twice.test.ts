import { randomUUID } from 'node:crypto'
import { requestContact } from '@guidon/contract/contact'
import { uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { forgotPassword } from '@guidon/contract/password'
import { expect, it, vi } from 'vitest'
import { boot, PASSWORD } from '../test/boot.ts'
import { newBox } from '../test/box.ts'
import { letter } from '../test/files/made-pdf.ts'
import { mailbox } from '../test/mailbox.ts'
import { newOrg } from '../test/org.ts'
import { inTurns } from './crowd.ts'
import { figures, size } from './size.ts'

const [org, box] = await Promise.all([newOrg(), newBox()])
const house = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '3600' },
})
const { sql } = house

/** Everything that a veteran can set off, so that every queue has had work. */
async function live(): Promise<string> {
  const { person, email } = await house.signedUp()
  await person.call(requestContact, { body: { method: 'Call' } })
  await person.call(requestContact, { body: { method: 'Email' } })
  await person.call(saveIntake, { body: { city: 'San Diego', submit: true } })
  const file = { name: `${randomUUID()}.pdf`, bytes: letter() }
  await person.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
  const [last] = await mailbox.mailsTo(email)
  const another = await house.signedIn({ email, password: PASSWORD }, last)
  await another.call(forgotPassword, { body: { email } })
  return email
}

const unfinished = `select from pgboss.job where state in ('created', 'retry', 'active')
  and name not like '%.dead' and name not like '\\_\\_%'`
const settled = () =>
  vi.waitUntil(async () => (await sql.query(unfinished)).rowCount === 0, {
    timeout: 60_000,
    interval: 100,
  })

async function effects(emails: readonly string[]) {
  const mails = await Promise.all(emails.map((email) => mailbox.mailsTo(email, { waitMs: 0 })))
  const contacts = await org.rows<{ Id: string; Email: string }>('Contact')
  const requests = await org.rows<{ Id: string }>('Contact_Request__c')
  const intakes = await org.rows<{ Id: string }>('Intake__c')
  const documents = await org.rows<{ Id: string }>('Document_Request__c')
  const files = await box.files()
  const { rows } = await sql.query('select email, salesforce_id from users order by email')
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

it('every job delivered twice, and out of order, has one effect', async () => {
  const emails = await inTurns(size(5, 100), live)
  // A receipt waits for the end of its batch.
  await sql.query(`update pgboss.job set start_after = now() where state = 'created'`)
  await settled()
  const once = await effects(emails)

  const { rows: again } = await sql.query<{ name: string }>(
    `update pgboss.job set state = 'created', started_on = null, completed_on = null, output = null,
       priority = floor(random() * 100)
     where state = 'completed' and name not like '\\_\\_%' returning name`,
  )
  // The entries of the outbox too: as if the worker had died between the CRM's answer and its own note.
  const { rowCount: entries } = await sql.query('update crm_outbox set sent_at = null')
  await settled()
  const twice = await effects(emails)

  figures('jobs delivered twice', {
    people: emails.length,
    queues: new Set(again.map(({ name }) => name)).size,
    jobs: again.length,
    'entries of the outbox': entries ?? 0,
    'further effects': Number(JSON.stringify(once) !== JSON.stringify(twice)),
  })
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
})
