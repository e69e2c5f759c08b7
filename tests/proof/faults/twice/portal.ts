import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { boot, NEWCOMER } from '../../../support/boot.ts'
import { newBox } from '../../../support/box.ts'
import { limitedConcurrency } from '../../../support/concurrency.ts'
import { newOrg } from '../../../support/org.ts'
import { deleteSchedules } from './queue-case.ts'

/** Where a contact exists before the veteran signs up. */
const CONTACT_STATES = ['in the mirror', 'only in the CRM', 'nowhere'] as const
type ContactState = (typeof CONTACT_STATES)[number]

/** In the names of files whose job is lost, so that `documents.sweep` must send it again. */
export const LOST_JOB = 'lost-'
export const isOfLostJob = (name: string) => name.includes(LOST_JOB)

export type Portal = Awaited<ReturnType<typeof newPortal>>

/** The product with veterans who have not signed up yet; the provider knows some of them. */
export async function newPortal(veteranCount: number) {
  const [org, box] = await Promise.all([newOrg(), newBox()])
  const veterans = Array.from({ length: veteranCount }, (_, index) => ({
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
    worker: false,
    environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '3600' },
  })
  const { sql } = testApp
  await deleteSchedules(sql)
  await testApp.startWorker()
  await vi.waitUntil(async () => {
    const { rowCount } = await sql.query('select from crm_contact where email is not null')
    const { rows } = await sql.query<{ loaded: boolean }>(
      'select bool_and(completed_at is not null) as loaded from crm_sync_cursor',
    )
    return rowCount === veteransWith('in the mirror').length && rows[0]!.loaded
  }, 60_000)
  await addContacts('only in the CRM')
  /** The name of the file of each version in the file store. */
  const storedVersions = async () =>
    (await box.files()).flatMap(({ name, versions }) => versions.map(() => name))
  return { testApp, org, box, veterans, veteransWith, storedVersions }
}
