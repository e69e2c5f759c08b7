import { randomUUID } from 'node:crypto'
import { requestContact } from '@guidon/contract/contact'
import { uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { deactivateUser, reactivateUser } from '@guidon/contract/manage-users'
import { forgotPassword } from '@guidon/contract/password'
import { refreshVeteran } from '../../../../api/src/crm/mirror/refresh-veteran.ts'
import { sendCode } from '../../../../api/src/features/auth/send-code.ts'
import { sendNotice } from '../../../../api/src/features/auth/send-notice.ts'
import { sendResetLink } from '../../../../api/src/features/auth/send-reset-link.ts'
import { sendReceipt } from '../../../../api/src/features/documents/store/send-receipt.ts'
import { storeDocument } from '../../../../api/src/features/documents/store/store-document.ts'
import { sendIntakeReceived } from '../../../../api/src/features/intake/send-received.ts'
import { findContact } from '../../../../api/src/features/linking/find-contact.ts'
import { sendLinkNews } from '../../../../api/src/features/linking/send-link-news.ts'
import { sendReactivated } from '../../../../api/src/features/manage-users/send-reactivated.ts'
import { limitedConcurrency } from '../../../support/concurrency.ts'
import { samplePdf } from '../../../support/files/made-pdf.ts'
import { mailbox } from '../../../support/mailbox.ts'
import { PASSWORD } from '../../../support/outside/account.ts'
import { isOfLostJob } from './portal.ts'
import type { Portal } from './portal.ts'
import type { QueueCase } from './queue-case.ts'

/** Calls that take effect although their response is lost. */
const LOST_RESPONSES = ['/composite', 'PATCH', '/query', '/services/data'] as const

/** The queues whose jobs come from what veterans and staff do. */
export function veteranCases({ testApp, org, veterans, veteransWith, storedVersions }: Portal) {
  const { sql } = testApp
  const uploaded: string[] = []
  const reactivated: string[] = []
  const appointments: string[] = []

  /** Does everything that creates a job at once. */
  const usePortal = async (index: number): Promise<void> => {
    const { email } = veterans[index]!
    const match = LOST_RESPONSES[index % LOST_RESPONSES.length]!
    await org.fault({ mode: 'lost', match, times: 2 })
    const { client } = await testApp.signedUp(email)
    await client.call(requestContact, { body: { method: 'Call' } })
    await client.call(requestContact, { body: { method: 'Email' } })
    await client.call(saveIntake, { body: { city: 'San Diego', submit: true } })
    const file = { name: `${randomUUID()}.pdf`, bytes: samplePdf() }
    uploaded.push(file.name)
    await client.upload(uploadDocument, file, { fields: { documentType: 'Other' } })
    const [last] = await mailbox.mailsTo(email)
    const otherClient = await testApp.signedIn({ email, password: PASSWORD }, { after: last })
    await otherClient.call(forgotPassword, { body: { email } })
  }
  let usage: Promise<unknown> | undefined
  const useEverything = () => (usage ??= limitedConcurrency(veterans.length, usePortal))

  const emailsOf =
    (recipients: readonly string[], ...subjects: string[]) =>
    async () => {
      const sent = await Promise.all(
        recipients.map(async (email) => {
          const mails = await mailbox.mailsTo(email, { waitMs: 0 })
          return mails.flatMap((mail) => {
            const subject = subjects.find((each) => mail.subject.includes(each))
            return subject === undefined ? [] : `${email}: ${subject}`
          })
        }),
      )
      const expected = recipients.flatMap((email) => subjects.map((each) => `${email}: ${each}`))
      return { found: sent.flat(), expected }
    }
  const everybody = veterans.map(({ email }) => email)
  const idsOf = async (emails: readonly string[]) => {
    const { rows } = await sql.query<{ id: string; contactId: string }>(
      `select users.id, contact_id as "contactId" from users
       left join links on user_id = users.id and links.state = 'live' where email = any($1)`,
      [emails],
    )
    return rows
  }

  const reactivateSomebody = async () => {
    const admin = await testApp.withSession(await testApp.account('ADMIN'))
    const { email } = await testApp.account()
    const [user] = await idsOf([email])
    await admin.call(deactivateUser, { params: { id: user!.id } })
    await admin.call(reactivateUser, { params: { id: user!.id } })
    reactivated.push(email)
  }

  const cases: Record<string, QueueCase> = {
    [sendCode.name]: {
      cause: useEverything,
      effects: emailsOf(everybody, 'verification code', 'sign-in code'),
    },
    [sendNotice.name]: { cause: useEverything, effects: emailsOf(everybody, 'New sign-in') },
    [sendResetLink.name]: { cause: useEverything, effects: emailsOf(everybody, 'Reset your') },
    [sendIntakeReceived.name]: { cause: useEverything, effects: emailsOf(everybody, ' intake') },
    [sendLinkNews.name]: {
      cause: useEverything,
      effects: emailsOf(
        [...veteransWith('in the mirror'), ...veteransWith('only in the CRM')].map(
          ({ email }) => email,
        ),
        'account shows your records',
      ),
    },
    [sendReceipt.name]: {
      cause: useEverything,
      // For the first upload, and for the one whose job is lost.
      effects: async () => {
        const { found, expected } = await emailsOf(everybody, ' received your document')()
        return { found, expected: [...expected, ...expected] }
      },
    },
    [storeDocument.name]: {
      cause: useEverything,
      undo: () => sql.query('update documents set crm_id = null'),
      effects: async () => {
        const versions = await storedVersions()
        return { found: versions.filter((name) => !isOfLostJob(name)), expected: uploaded }
      },
    },
    [findContact.name]: {
      // The jobs of the sign-ups may have failed because of lost responses.
      cause: async () => {
        await useEverything()
        const users = await idsOf(veteransWith('only in the CRM').map(({ email }) => email))
        await Promise.all(users.map(({ id }) => testApp.send(findContact, { userId: id })))
      },
      effects: async () => {
        const emails = veteransWith('only in the CRM').map(({ email }) => email)
        const users = await idsOf(emails)
        const contacts = await org.rows<{ Id: string; Email: string; Portal_User_Id__c: string }>(
          'Contact',
        )
        const found = contacts
          .filter(({ Email }) => emails.includes(Email?.toLowerCase()))
          .map(({ Id, Portal_User_Id__c: id, Email }) => {
            const isLinked = users.some((user) => user.id === id && user.contactId === Id)
            return `${Email.toLowerCase()} is ${isLinked ? 'linked' : 'not linked'}`
          })
        return { found, expected: emails.map((email) => `${email} is linked`) }
      },
    },
    [refreshVeteran.name]: {
      cause: async () => {
        const users = await idsOf(veteransWith('in the mirror').map(({ email }) => email))
        for (const { contactId } of users) {
          const appointment = { contactId, date: '2031-05-06', time: '09:30' }
          appointments.push(await org.staff('add-appointment', appointment))
        }
        await Promise.all(users.map(({ id }) => testApp.send(refreshVeteran, { userId: id })))
      },
      // The veteran gets a notice of each new row.
      effects: async () => {
        const { rows } = await sql.query<{ id: string }>(
          `select subject_id as id from notices where event = 'appointmentSet'`,
        )
        return { found: rows.map(({ id }) => id), expected: appointments }
      },
    },
    [sendReactivated.name]: {
      cause: () => limitedConcurrency(veterans.length, reactivateSomebody),
      effects: () => emailsOf(reactivated, 'active again')(),
    },
  }
  return cases
}
