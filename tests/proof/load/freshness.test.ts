import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getDocuments } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'
import { expect, it } from 'vitest'
import { variables } from '../../../api/src/main/config/variables.ts'
import { boot, NEWCOMER } from '../../support/boot.ts'
import { concurrently, limitedConcurrency } from '../../support/concurrency.ts'
import { mailbox } from '../../support/mailbox.ts'
import { newOrg } from '../../support/org.ts'
import type { Org } from '../../support/org.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { percentile } from '../../support/outside/statistics.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, smallOrFull, timeLimit } from '../size.ts'

const MAX_SECONDS = 15
const CHECK_EVERY_MS = 200
const UNPOLLED = { CRM_POLL_SECONDS: '3600' }

async function changeEverything(org: Org, contactId: string, mark: string): Promise<void> {
  const userId = await org.staff('add-user', {
    FirstName: 'Case',
    LastName: mark,
    Email: `${mark}@guidon.example`,
    Username: `${mark}@guidon.example`,
  })
  await org.staff('assign-case-manager', { contactId, userId })
  await org.staff('edit-contact', { contactId, MailingCity: mark })
  await org.staff('add-appointment', {
    contactId,
    date: '2031-05-05',
    time: '10:00',
    clinicName: mark,
  })
  await org.staff('request-document', { contactId, type: mark })
}

/** The parts of the dashboard that do not show the change. */
async function outdatedParts(client: TestClient, mark: string): Promise<string[]> {
  const [info, managed, appointments, documents] = await Promise.all([
    client.call(getUserInfo, {}),
    client.call(getCaseManager, {}),
    client.call(getAppointments, {}),
    client.call(getDocuments, {}),
  ])
  const shown = {
    city: info.body.city === mark,
    'case manager': managed.body.caseManager?.name === `Case ${mark}`,
    appointment: appointments.body.some(({ clinicName }) => clinicName === mark),
    document: documents.body.some(({ type }) => type === mark),
  }
  return Object.entries(shown).flatMap(([part, isShown]) => (isShown ? [] : [part]))
}

const secondsUntilShown = async (
  client: TestClient,
  mark: string,
  since: number,
): Promise<number> => {
  await expect
    .poll(() => outdatedParts(client, mark), { timeout: 70_000, interval: CHECK_EVERY_MS })
    .toEqual([])
  return (Date.now() - since) / 1000
}

const contactOf = async (org: Org, userId: string) => {
  const [contact] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
  return contact!.Id
}

it(
  'a change is on the dashboard within 15 seconds with the default settings, new case managers included',
  fullSizeOnly,
  async () => {
    const org = await newOrg({ resolution: 'seconds' })
    const testApp = await boot({ environment: org.environment })
    const veterans = 20
    const rounds = 15
    const seconds = await concurrently(veterans, async (veteran) => {
      const { client, userId } = await testApp.signedUp()
      const contactId = await contactOf(org, userId)
      const shown: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        // Changes are spread over the interval between two polls.
        await delay(Math.random() * 10_000)
        const mark = `poll${veteran}x${round}`
        const changed = Date.now()
        await changeEverything(org, contactId, mark)
        shown.push(await secondsUntilShown(client, mark, changed))
      }
      return shown
    })
    const all = seconds.flat()
    const at = (share: number) => percentile(all, share)
    figures('a change found by polling', {
      changes: all.length,
      'median s': at(0.5).toFixed(1),
      'p99 s': at(0.99).toFixed(1),
      'slowest s': at(1).toFixed(1),
      'goal of p99 s': MAX_SECONDS,
    })
    headline.max({ 'p99 s by polling': at(0.99) })
    expect(at(0.99)).toBeLessThanOrEqual(MAX_SECONDS)
  },
)

it('the default poll interval is below 15 seconds', () => {
  expect(variables.CRM_POLL_SECONDS.parse(undefined)).toBeLessThan(MAX_SECONDS)
})

it('a change is on the dashboard within 5 seconds after a sign-in while the mirror is stale', async () => {
  const org = await newOrg()
  const testApp = await boot({ environment: { ...org.environment, ...UNPOLLED } })
  const { userId, email } = await testApp.signedUp()
  const contactId = await contactOf(org, userId)
  const rounds = smallOrFull(1, 20)
  let slowest = 0
  for (let round = 0; round < rounds; round += 1) {
    await changeEverything(org, contactId, `visit${round}`)
    await testApp.sql.query(
      `update crm_sync_cursor set completed_at = now() - interval '2 minutes'`,
    )
    const [last] = await mailbox.mailsTo(email)
    const client = await testApp.signedIn({ email, password: PASSWORD }, { after: last })
    const signedIn = Date.now()
    slowest = Math.max(slowest, await secondsUntilShown(client, `visit${round}`, signedIn))
  }
  figures('a change found by a sign-in', { rounds, 'slowest s': slowest.toFixed(1), 'goal s': 5 })
  headline.max({ 'slowest s by a sign-in': slowest })
  expect(slowest).toBeLessThan(timeLimit(5))
})

it('a contact made a second before the sign-up is linked at the verification', async () => {
  const org = await newOrg()
  const environment = { ...org.environment, ...UNPOLLED, CRM_SIGN_UP_SECONDS: '3' }
  const testApp = await boot({ environment })
  const signUps = smallOrFull(3, 100)
  const linked = await limitedConcurrency(
    signUps,
    async () => {
      const email = `${randomUUID()}@example.com`
      await org.staff('add-contact', { LastName: NEWCOMER.lastName, Email: email })
      await delay(1_000)
      return (await testApp.signedUp(email)).linked
    },
    8,
  )
  const refreshes = testApp.logged().split('"purpose":"refresh"').length - 1
  figures('contacts made a second before the sign-up', {
    'sign-ups': signUps,
    linked: linked.filter(Boolean).length,
    'calls to find and read them': refreshes,
  })
  headline.sum({ 'sign-ups': signUps, linked: linked.filter(Boolean).length })
  expect(linked.every(Boolean)).toBe(true)
})
