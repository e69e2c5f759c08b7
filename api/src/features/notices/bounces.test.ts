import { checkAuth, login } from '@guidon/contract/auth'
import { getDeliveriesOf, getEmailReachable } from '@guidon/contract/notices'
import { boot } from '@guidon/tests/boot'
import { newMailbox, reportTo } from '@guidon/tests/mailbox'
import { noticeFixtures, sendSecurityMail } from '@guidon/tests/notices'
import { describe, expect, it, vi } from 'vitest'
import { isReachable } from '../../mail/deliveries.sql.ts'
import { readReports } from './read-reports.ts'

const mailbox = await newMailbox()
const testApp = await boot({
  environment: { ...mailbox.environment, BOUNCE_ADDRESS: 'bounces@example.org' },
})
const { sql } = testApp
const notices = noticeFixtures(testApp)
await notices.stopSchedule()

const idOf = async (email: string) =>
  (await sql.query<{ id: string }>('select id from users where email = $1', [email])).rows[0]!.id

const statesOf = async (userId: string) => {
  const { rows } = await sql.query<{ state: string; result: string | null }>(
    'select state, result from deliveries where user_id = $1 order by queued_at',
    [userId],
  )
  return rows.map(({ state, result }) => [state, result])
}

const sendMails = async (userId: string, count: number) => {
  const before = (await statesOf(userId)).length
  for (let number = 0; number < count; number += 1) {
    await sendSecurityMail(testApp, userId)
  }
  await vi.waitUntil(async () => (await statesOf(userId)).length >= before + count, {
    timeout: 60_000,
  })
}

/** Runs the job that reads the mailbox, and waits for its end. The schedule may run it, too. */
const readMailbox = async () => {
  await testApp.send(readReports, {})
  const unfinished = `select from pgboss.job
    where name = 'notices.read-reports' and state < 'completed'`
  const isDone = async () => (await sql.query(unfinished)).rowCount === 0
  await vi.waitUntil(isDone, { timeout: 60_000 })
}

async function signIn(account: { email: string; password: string }) {
  const client = testApp.newClient()
  const [last] = await mailbox.mailsTo(account.email, { waitMs: 0 })
  await client.call(login, { body: account })
  const code = await mailbox.codeFor(account.email, { after: last?.id ?? '' })
  await client.send('POST', '/auth/verify-login', { email: account.email, code })
  return client
}

describe('an email that comes back', () => {
  it('is recorded with its status, and after the second one veteran and staff see that email fails', async () => {
    const account = await testApp.account()
    const userId = await idOf(account.email)
    const client = await signIn(account)
    const staff = await signIn(await testApp.account('STAFF'))
    // The code, and the warning about a new device.
    await vi.waitUntil(async () => (await statesOf(userId)).length === 2, { timeout: 60_000 })
    await mailbox.bounce(account.email, { status: '5.2.2' })
    await sendMails(userId, 1)
    await readMailbox()
    expect((await statesOf(userId)).at(-1)).toEqual(['failed', '5.2.2'])
    expect(testApp.logged()).toMatch(/"read":1,"recorded":1,"skipped":0,"msg":"mail: reports read"/)
    expect((await client.call(checkAuth, {})).body.user.emailReachable).toBe(true)
    await sendMails(userId, 1)
    await readMailbox()
    const { body } = await staff.call(getDeliveriesOf, { params: { id: userId } })
    const checked = await staff.call(getEmailReachable, { params: { id: userId } })
    expect(checked.body).toEqual({ emailReachable: false })
    expect(body.deliveries[0]).toMatchObject({ state: 'failed', result: '5.2.2' })
    const next = await signIn(account)
    expect((await next.call(checkAuth, {})).body.user.emailReachable).toBe(false)
  })

  it('stops notices only until a code of a later email is used', async () => {
    const { email, contactId, userId } = await notices.veteran()
    await sendMails(userId, 2)
    for (const { returnPath } of await mailbox.mailsTo(email))
      await mailbox.putReport(reportTo(returnPath))
    await readMailbox()
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['no-recipient'])
    await signIn({ email, password: 'Harbor-Lantern-42!' })
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['sent'])
  })

  it('does not count if the mail service was unavailable', async () => {
    const { email, userId } = await notices.veteran()
    await sendMails(userId, 2)
    for (const { returnPath } of await mailbox.mailsTo(email))
      await mailbox.putReport(reportTo(returnPath, { action: 'failed', status: '4.4.7' }))
    await readMailbox()
    expect(await statesOf(userId)).toEqual([
      ['failed', '4.4.7'],
      ['failed', '4.4.7'],
    ])
    expect(await isReachable(notices.db, userId)).toBe(true)
  })

  it('stops notices after two, and never codes', async () => {
    await notices.loaded()
    const { email, contactId, userId } = await notices.veteran()
    await mailbox.bounce(email)
    await sendMails(userId, 2)
    await readMailbox()
    await notices.store('document', notices.document(contactId))
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['no-recipient'])
    const client = testApp.newClient()
    await client.call(login, { body: { email, password: 'Harbor-Lantern-42!' } })
    expect(await mailbox.codeFor(email)).toMatch(/\d{6}/)
  })

  it('is not believed if the return path is forged', async () => {
    const { email, userId } = await notices.veteran()
    await sendMails(userId, 1)
    const [mail] = await mailbox.mailsTo(email)
    const path = mail!.returnPath
    expect(path).toMatch(/^bounces\+[0-9a-f]{32}-[0-9a-f]{20}@example\.org$/)
    const forged = [
      path.replace(/.{20}@/, `${'0'.repeat(20)}@`),
      path.replace(/-.*@/, '@'),
      path.replace('example.org', 'example.com'),
      'bounces@example.org',
    ]
    for (const to of forged) await mailbox.putReport(reportTo(to))
    await mailbox.putReport('not a report at all')
    await mailbox.putReport(reportTo(path, { action: 'delayed', status: '4.4.1' }))
    await mailbox.putReport(reportTo(path).replace('multipart/report', 'multipart/mixed'))
    await readMailbox()
    expect(await statesOf(userId)).toEqual([['sent', null]])
    await mailbox.putReport(reportTo(path))
    await readMailbox()
    expect(await statesOf(userId)).toEqual([['failed', '5.1.1']])
  })

  it('only moves forward: delivered and then failed, never back', async () => {
    const { email, userId } = await notices.veteran()
    await sendMails(userId, 1)
    const [mail] = await mailbox.mailsTo(email)
    const steps: unknown[] = []
    for (const action of ['delivered', 'failed', 'delivered']) {
      await mailbox.putReport(reportTo(mail!.returnPath, { action, status: '2.0.0' }))
      await readMailbox()
      steps.push((await statesOf(userId))[0]![0])
    }
    expect(steps).toEqual(['delivered', 'failed', 'failed'])
  })
})
