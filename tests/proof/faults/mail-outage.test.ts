import { setTimeout as delay } from 'node:timers/promises'
import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { MAILS_TO_EMAIL_FROM_ADDRESS } from '@guidon/contract/limits'
import { forgotPassword } from '@guidon/contract/password'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { afterAll, expect, it, vi } from 'vitest'
import { afterFile } from '../../support/after-file.ts'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency, moveClock } from '../../support/concurrency.ts'
import { startTcpProxy } from '../../support/outside/tcp-proxy.ts'
import { startRelay } from '../../support/smtp-relay.ts'
import { waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, isFullSize, smallOrFull, timeLimit } from '../size.ts'
import { IS_MAIL_JOB, mailRequests } from './mail-requests.ts'
import type { Pending } from './mail-requests.ts'

const mailbox = await startMailbox()
afterAll(() => mailbox.close())
const mailboxClient = new MailboxClient(mailbox.url)
const relay = await startTcpProxy(Number(new URL(mailbox.smtpUrl).port))
afterFile(relay.down)
const SMTP_URL = `smtp://127.0.0.1:${relay.port}`
const testApp = await boot({ environment: { SMTP_URL } })
const { logged, sql } = testApp

const PER_KIND = smallOrFull(1, 100)
const OUTAGE_MINUTES = 10
/** At the small size, the clock is moved by these minutes after each try. */
const MINUTES_PER_TRY = 2
const TRIES = 6
const WAIT = { timeout: smallOrFull(90_000, 900_000), interval: 200 }

interface PendingResend extends Pending {
  resends?: true
}

const { signUp, signIn, forgot, isAccepted } = mailRequests(testApp, mailboxClient)

const resend = async ({ email, client, kind }: Pending) => {
  const verificationType = kind === 'sign-up' ? 'email' : 'login'
  const body = { email, verificationType } as const
  expect((await client.call(resendVerificationCode, { body })).status).toBe(202)
}

async function requestEverything(): Promise<PendingResend[]> {
  const requested = await limitedConcurrency(PER_KIND, async () => [
    await signUp(),
    await signIn(),
    await forgot(),
    // Each of two sign-ups with the same email has its own code.
    await signUp((await signUp()).email),
    { ...(await signUp()), resends: true as const },
    { ...(await signIn()), resends: true as const },
  ])
  return requested.flat()
}

const jobs = async () => {
  const { rows } = await sql.query<{ state: string; outcome: string | null; jobs: number }>(
    `select state, output ->> 'outcome' as outcome, count(*)::int as jobs
     from pgboss.job where ${IS_MAIL_JOB} group by 1, 2`,
  )
  const count = (of: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(of).reduce((sum, row) => sum + row.jobs, 0)
  return {
    unfinished: count(({ state }) => ['created', 'retry', 'active'].includes(state)),
    failed: count(({ state }) => state === 'failed'),
    completedWith: (expected: string) =>
      count(({ state, outcome }) => state === 'completed' && outcome === expected),
    completedWithoutOutcome: count(
      ({ state, outcome }) => state === 'completed' && outcome === null,
    ),
  }
}

const makeRetriesDue = (client = sql) =>
  client.query(`update pgboss.job set start_after = now() where ${IS_MAIL_JOB} and state = 'retry'`)

async function retryNow(): Promise<void> {
  await makeRetriesDue()
  await waitUntilEmpty(
    sql,
    `select from pgboss.job where ${IS_MAIL_JOB} and state < 'completed'
       and (state <> 'retry' or start_after <= now())`,
    WAIT,
  )
}

/**
 * The relay first responds with an error and then is unreachable: for ten real minutes at full size, at the small size with
 * many retries and a moved clock.
 */
async function runOutage(requested: readonly PendingResend[]): Promise<void> {
  const resending = requested.filter(({ resends }) => resends)
  if (isFullSize) {
    await delay(70_000)
    for (const pending of resending) await resend(pending)
    await relay.down()
    await delay((OUTAGE_MINUTES - 1) * 60_000 - 10_000)
    return
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    await retryNow()
    await moveClock(sql, MINUTES_PER_TRY)
    await sql.query(`update reset_tokens set expires_at = expires_at - make_interval(mins => $1)`, [
      MINUTES_PER_TRY,
    ])
    if (tries > 0) continue
    for (const pending of resending) await resend(pending)
    await relay.down()
  }
  await makeRetriesDue()
}

it('every code and link requested while the relay is down arrives after the outage, and is accepted', async () => {
  await mailboxClient.fault('fail')
  const began = performance.now()
  const requested = await requestEverything()
  await runOutage(requested)
  const seconds = (performance.now() - began) / 1000
  const jobsDuring = await jobs()

  await mailboxClient.fault('none')
  await relay.up()
  const backAt = performance.now()
  await vi.waitUntil(async () => (await jobs()).unfinished === 0, WAIT)
  const jobsAfter = await jobs()
  const arrivedAfter = (performance.now() - backAt) / 1000
  const { accepted } = (await (await fetch(`${mailbox.url}/stats`)).json()) as { accepted: number }
  const usable = await limitedConcurrency(requested.length, (index) =>
    isAccepted(requested[index]!),
  )

  // Each resend supersedes a code. Of two sign-ups with the same email, `requested` has only the second.
  const superseded = PER_KIND * 2
  const sent = requested.length + PER_KIND
  // At the small size, the clock is moved.
  const minutesDown = isFullSize ? seconds / 60 : TRIES * MINUTES_PER_TRY
  figures('mail outage', {
    'minutes down': minutesDown.toFixed(1),
    'codes and links requested': requested.length,
    'jobs sent': jobsAfter.completedWith('sent'),
    superseded: jobsAfter.completedWith('superseded'),
    expired: jobsAfter.completedWith('expired'),
    failed: jobsAfter.failed,
    'completed without a mail':
      jobsAfter.completedWithoutOutcome + jobsAfter.completedWith('sent') - accepted,
    'seconds until all had arrived': arrivedAfter.toFixed(1),
    usable: usable.filter(Boolean).length,
  })
  headline.sum({ 'codes and links': requested.length, usable: usable.filter(Boolean).length })
  headline.max({ 'minutes down': minutesDown, 'seconds until all arrived': arrivedAfter })
  expect(jobsDuring.completedWith('sent') + jobsDuring.completedWithoutOutcome).toBe(0)
  expect({
    sent: jobsAfter.completedWith('sent'),
    accepted,
    superseded: jobsAfter.completedWith('superseded'),
    others:
      jobsAfter.completedWith('expired') + jobsAfter.completedWithoutOutcome + jobsAfter.failed,
    usable: usable.filter(Boolean).length,
  }).toEqual({
    sent,
    accepted: sent,
    superseded,
    others: 0,
    usable: requested.length,
  })
  expect(arrivedAfter).toBeLessThan(timeLimit(60))
})

it(
  'a client over the limit during an outage is refused with a message, and receives the allowed emails later',
  fullSizeOnly,
  async () => {
    const strict = await boot({ environment: { SMTP_URL, ADDRESS_LIMIT_FACTOR: '1' } })
    await mailboxClient.fault('fail')
    const { email } = await strict.account()
    const request = () => strict.newClient().call(forgotPassword, { body: { email } })
    const responses = await limitedConcurrency(10, request, 1)
    const allowed = MAILS_TO_EMAIL_FROM_ADDRESS
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10 - allowed)
    expect(responses.at(-1)).toMatchObject({ body: { code: 'too_many_tries' } })
    await mailboxClient.fault('none')
    await makeRetriesDue(strict.sql)
    const arrived = async () => (await mailboxClient.mailsTo(email, { waitMs: 0 })).length
    await vi.waitUntil(async () => (await arrived()) === allowed, WAIT)
  },
)

it('a code whose sign-in expires before the relay is back is reported as expired, and the sign-in must be repeated', async () => {
  const before = (await jobs()).completedWith('expired')
  await mailboxClient.fault('fail')
  const { email, client } = await signIn()
  await retryNow()
  await moveClock(sql, 31)
  await mailboxClient.fault('none')
  await makeRetriesDue()
  await vi.waitUntil(async () => (await jobs()).completedWith('expired') === before + 1, WAIT)
  expect(logged()).toMatch(/"level":"warn".*"msg":"mail: expired"/)
  expect(await mailboxClient.mailsTo(email, { waitMs: 0 })).toEqual([])
  expect(await client.call(verifyLogin, { body: { email, code: '123456' } })).toMatchObject({
    status: 400,
    body: { code: 'no_challenge' },
  })
})

it('an email whose recipient the relay refuses is tried once and reported as refused', async () => {
  const refusing = await startRelay({ RCPT: '550 5.1.1 no such user' })
  const other = await boot({ environment: { SMTP_URL: refusing.url } })
  const recipient = await other.account()
  await other.newClient().call(login, { body: recipient })
  const state = async () =>
    (await other.admin.queues.states()).find(({ name }) => name === 'auth.send-code')
  await vi.waitUntil(async () => (await state())?.refused === 1, WAIT)
  expect(await state()).toMatchObject({ unfinished: 0, dead: 0, refused: 1 })
  expect(refusing.commandLines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
  expect(other.logged()).toMatch(/"level":"warn".*"msg":"mail: refused"/)
  expect(other.logged()).not.toContain(recipient.email)
})
