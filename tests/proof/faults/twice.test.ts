import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { features } from '../../../api/src/main/compose/features.ts'
import { jobsOf } from '../../../api/src/main/compose/merge-features.ts'
import { mailbox } from '../../support/mailbox.ts'
import { figures, headline, markdownTable } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { noticeCases } from './twice/notice-cases.ts'
import { newPortal } from './twice/portal.ts'
import { deliveredAgain, redeliver, surplus, waitUntilDone } from './twice/queue-case.ts'
import type { QueueCase } from './twice/queue-case.ts'
import { scheduledCases } from './twice/scheduled-cases.ts'
import { veteranCases } from './twice/veteran-cases.ts'

const VETERANS = smallOrFull(4, 100)

const portal = await newPortal(VETERANS)
const notices = await noticeCases(VETERANS)
const { testApp, org, box, veterans, veteransWith } = portal
const { sql } = testApp
/** The product on two databases, because notices need another time. */
const databases = [sql, notices.sql]

/** In the order in which their jobs are caused. */
const cases: Record<string, QueueCase> = {
  ...veteranCases(portal),
  ...scheduledCases(portal),
  ...notices.cases,
}

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

/** What veterans and the provider have of all jobs together. */
async function allEffects() {
  const mails = await Promise.all(
    veterans.map(({ email }) => mailbox.mailsTo(email, { waitMs: 0 })),
  )
  const contacts = await allContacts()
  const requests = await org.rows<{ Id: string }>('Contact_Request__c')
  const intakes = await org.rows<{ Id: string }>('Intake__c')
  const documents = await org.rows<{ Id: string }>('Document_Request__c')
  const files = await box.files()
  const { rows } = await sql.query(
    `select email, contact_id, origin <> 'portal' as linked from users
     left join links on user_id = users.id and links.state = 'live' order by email`,
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

/** The effects of each queue, those that are doubled and those that are missing. */
async function measureQueues() {
  const measured: { queue: string; expected: number; doubled: string[]; missing: string[] }[] = []
  for (const [queue, each] of Object.entries(cases)) {
    if ('noEffect' in each) continue
    const { found, expected } = await each.effects()
    const [doubled, missing] = [surplus(found, expected), surplus(expected, found)]
    measured.push({ queue, expected: expected.length, doubled, missing })
  }
  return measured
}

async function auditedLinks(): Promise<number[]> {
  const { rows } = await sql.query<{ links: number }>(
    `select count(*)::int as links from audit_events where event = 'account_linked'
     group by subject_id`,
  )
  return rows.map(({ links }) => links)
}

const countLostResponses = () => testApp.logged().split('"code":"NETWORK"').length - 1
const allDone = () => Promise.all(databases.map(waitUntilDone))

it('every queue of the product has a case', () => {
  const registered = jobsOf(features).map(({ name }) => name)
  expect(Object.keys(cases).toSorted()).toEqual(registered.toSorted())
})

it('every job takes effect once, although delivered twice, out of order and with lost responses', async () => {
  const before = await allContacts()
  for (const { cause } of Object.values(cases)) {
    await cause()
    await allDone()
  }
  const effectsOnce = await allEffects()
  const queuesOnce = await measureQueues()
  const changedOnce = changedFields(before, await allContacts())
  const audited = await auditedLinks()
  const lost = countLostResponses()
  const linked = await sql.query(`select from links where state = 'live' and origin <> 'portal'`)

  // As if each worker had been killed between the CRM's response and its own commit.
  const { rowCount: entries } = await sql.query('update crm_outbox set sent_at = null')
  for (const { undo } of Object.values(cases)) await undo?.()
  await org.fault({ mode: 'lost', times: VETERANS })
  const redelivered = await Promise.all(databases.map(redeliver))
  await allDone()
  const delivered = await Promise.all(
    databases.map((database, index) => deliveredAgain(database, redelivered[index]!)),
  )
  const effectsTwice = await allEffects()
  const queuesTwice = await measureQueues()
  const changedTwice = changedFields(before, await allContacts())

  const jobs = redelivered.flat()
  const deliveries = [...jobs, ...delivered.flat()]
  const sum = (count: (queue: (typeof queuesTwice)[number]) => number) =>
    queuesTwice.reduce((total, each) => total + count(each), 0)
  figures('jobs delivered twice', {
    veterans: VETERANS,
    queues: new Set(deliveries.map(({ name }) => name)).size,
    jobs: jobs.length,
    deliveries: deliveries.length,
    effects: sum(({ expected }) => expected),
    'effects doubled': sum(({ doubled }) => doubled.length),
    'effects missing': sum(({ missing }) => missing.length),
    'outbox entries': entries ?? 0,
    'lost CRM responses': countLostResponses(),
  })
  headline.sum({
    deliveries: deliveries.length,
    effects: sum(({ expected }) => expected),
    doubled: sum(({ doubled }) => doubled.length),
    missing: sum(({ missing }) => missing.length),
  })
  figures("the provider's own contacts", {
    'in the mirror': veteransWith('in the mirror').length,
    'only in the CRM': veteransWith('only in the CRM').length,
    linked: linked.rowCount ?? 0,
    'audited links': audited.length,
    'fields changed': changedOnce + changedTwice,
  })
  markdownTable([
    ['Queue', 'Deliveries', 'Effects', 'Doubled', 'Missing'],
    ...Object.entries(cases).map(([queue, each]) => {
      const effects = queuesTwice.find((measured) => measured.queue === queue)
      return [
        `\`${queue}\``,
        deliveries.filter(({ name }) => name === queue).length,
        effects?.expected ?? ('noEffect' in each ? each.noEffect : ''),
        effects?.doubled.length ?? '',
        effects?.missing.length ?? '',
      ]
    }),
  ])
  expect(lost).toBeGreaterThan(0)
  for (const queue of Object.keys(cases)) {
    expect.soft(delivered.flat().map(({ name }) => name)).toContain(queue)
  }
  expect(delivered.flat()).toHaveLength(jobs.length)
  for (const { queue, expected, doubled, missing } of [...queuesOnce, ...queuesTwice]) {
    expect.soft(expected, queue).toBeGreaterThan(0)
    expect.soft({ queue, doubled, missing }).toEqual({ queue, doubled: [], missing: [] })
  }
  expect(effectsTwice).toEqual(effectsOnce)
  expect([changedOnce, changedTwice]).toEqual([0, 0])
  expect(linked.rowCount).toBe(before.length)
  expect(audited).toEqual(before.map(() => 1))
  expect(effectsTwice.contacts).toHaveLength(VETERANS)
})
