import { expect, it } from 'vitest'
import { PURPOSES } from '../../../api/src/crm/port.ts'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { DASHBOARD } from '../../support/dashboard-reads.ts'
import { newOrg } from '../../support/org.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const POLL_SECONDS = 5

const org = await newOrg()
const testApp = await boot({
  environment: { ...org.environment, CRM_POLL_SECONDS: String(POLL_SECONDS) },
})

/** Accounts whose contacts the mirror has, linked an hour ago. */
async function linkedAccounts(count: number) {
  const accounts = await limitedConcurrency(count, () => testApp.account(), 4)
  const emails = accounts.map(({ email }) => email)
  const contacts = org.load(
    'Contact',
    emails.map((email) => ({ LastName: 'Whitfield', Email: email })),
  )
  await testApp.sql.query(
    `insert into links (user_id, contact_id, origin, state, live_at)
     select users.id, contact, 'signUp', 'live', now() - interval '1 hour'
     from unnest($1::text[], $2::text[]) as linked (email, contact) join users using (email)`,
    [emails, contacts],
  )
  await expect
    .poll(async () => {
      const { rows } = await testApp.sql.query('select from crm_contact where id = any($1)', [
        contacts,
      ])
      return rows.length
    })
    .toBe(count)
  return accounts
}

const visit = async (client: TestClient) => {
  const responses = await Promise.all(
    DASHBOARD.map(({ method, path }) => client.send(method, path)),
  )
  return responses.every(({ status }) => status === 200)
}

/** The calls by purpose, once the log has every call that the CRM has counted. */
async function callsSoFar() {
  const logged = () => {
    const lines = testApp.logged()
    return PURPOSES.map((purpose) => lines.split(`"purpose":"${purpose}"`).length - 1)
  }
  const unlogged = async () => (await org.stats()).used - sum(logged())
  await expect.poll(unlogged).toBe(0)
  // `PURPOSES` begins with 'tick' and 'catch-up'.
  const [ticks = 0, catchUps = 0, ...others] = logged()
  return { ticks, catchUps, others: sum(others) }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

it('visits and sign-ins cause no CRM call while the mirror is fresh: only the poller calls the CRM', async () => {
  const visits = smallOrFull(100, 10_000)
  const signIns = smallOrFull(4, 200)
  const accounts = await linkedAccounts(signIns)
  const before = await callsSoFar()
  const started = Date.now()
  const clients = await limitedConcurrency(
    signIns,
    (number) => testApp.signedIn(accounts[number]!),
    4,
  )
  const served = await limitedConcurrency(visits, (number) => visit(clients[number % signIns]!), 8)
  const seconds = (Date.now() - started) / 1000
  const after = await callsSoFar()

  const ticks = after.ticks - before.ticks
  const catchUps = after.catchUps - before.catchUps
  const others = after.others - before.others
  figures('visits to the dashboard', {
    visits,
    'sign-ins': signIns,
    served: served.filter(Boolean).length,
    seconds: seconds.toFixed(1),
    ticks,
    'calls for kinds that are behind': catchUps,
    'other CRM calls': others,
  })
  headline.sum({ visits, 'sign-ins': signIns, 'CRM calls beside polling': others })
  expect(served.every(Boolean)).toBe(true)
  expect(others).toBe(0)
  expect(ticks).toBeLessThanOrEqual(Math.ceil(seconds / POLL_SECONDS) + 1)
  expect(catchUps).toBeLessThanOrEqual(5 * (Math.ceil(seconds / POLL_SECONDS) + 1))
})
