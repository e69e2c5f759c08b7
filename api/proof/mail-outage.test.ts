import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { MAILS_TO_EMAIL_FROM_ADDRESS } from '@guidon/contract/limits'
import { forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { boot, NEWCOMER } from '../test/boot.ts'
import { startRelay } from '../test/smtp-relay.ts'
import { startProxy } from '../test/tcp-proxy.ts'
import type { TestClient } from '../test/test-client.ts'
import { limitedConcurrency, moveClock } from './concurrency.ts'
import { resetWith } from './reset-link.ts'
import { figures, size } from './size.ts'

const mailbox = await startMailbox()
afterAll(() => mailbox.close())
const mails = new MailboxClient(mailbox.url)
const relay = await startProxy(Number(new URL(mailbox.smtpUrl).port))
const SMTP_URL = `smtp://127.0.0.1:${relay.port}`
const { account, logged, newClient, sql } = await boot({ environment: { SMTP_URL } })

const OF_EACH_KIND = size(3, 100)
const OUTAGE_MINUTES = 10
/** In the gate the clock is moved by so much between two tries. */
const MINUTES_A_TRY = 2
const TRIES = 9
const isFull = inject('proof') === 'full'
const PATIENCE = { timeout: size(90_000, 900_000), interval: 200 }
const IS_MAIL_JOB = `name in ('auth.send-code', 'auth.send-reset-link')`

const newEmail = () => `${randomUUID()}@example.com`

interface Waiting {
  email: string
  client: TestClient
  kind: 'sign-up' | 'sign-in' | 'reset'
  resends?: true
}

const signUp = async (email = newEmail()): Promise<Waiting> => {
  const client = newClient()
  const { status } = await client.call(register, { body: { ...NEWCOMER, email } })
  expect(status).toBe(202)
  return { email, client, kind: 'sign-up' }
}

const signIn = async (): Promise<Waiting> => {
  const one = await account()
  const client = newClient()
  expect((await client.call(login, { body: one })).status).toBe(204)
  return { email: one.email, client, kind: 'sign-in' }
}

const forgot = async (): Promise<Waiting> => {
  const { email } = await account()
  const client = newClient()
  expect((await client.call(forgotPassword, { body: { email } })).status).toBe(202)
  return { email, client, kind: 'reset' }
}

const resend = async ({ email, client, kind }: Waiting) => {
  const verificationType = kind === 'sign-up' ? 'email' : 'login'
  const body = { email, verificationType } as const
  expect((await client.call(resendVerificationCode, { body })).status).toBe(202)
}

async function everyoneAsks(): Promise<Waiting[]> {
  const asked = await limitedConcurrency(OF_EACH_KIND, async () => [
    await signUp(),
    await signIn(),
    await forgot(),
    // Each of two sign-ups with the same email has its own code.
    await signUp((await signUp()).email),
    { ...(await signUp()), resends: true as const },
    { ...(await signIn()), resends: true as const },
  ])
  return asked.flat()
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
    ended: (wanted: string) =>
      count(({ state, outcome }) => state === 'completed' && outcome === wanted),
    endedWithoutWord: count(({ state, outcome }) => state === 'completed' && outcome === null),
  }
}

const dueNow = (on = sql) =>
  on.query(`update pgboss.job set start_after = now() where ${IS_MAIL_JOB} and state = 'retry'`)

/** Waits until every job that is left has failed once more, and waits for its next try. */
async function anotherTry(): Promise<void> {
  await dueNow()
  await vi.waitUntil(async () => {
    const { rows } = await sql.query(
      `select from pgboss.job where ${IS_MAIL_JOB} and state < 'completed'
         and (state <> 'retry' or start_after <= now())`,
    )
    return rows.length === 0
  }, PATIENCE)
}

/**
 * First the relay answers that it cannot, then it is gone. Ten real minutes at full size; in the gate many tries,
 * and the clock is moved.
 */
async function outage(asked: readonly Waiting[]): Promise<void> {
  const resending = asked.filter(({ resends }) => resends)
  if (isFull) {
    await delay(70_000)
    for (const one of resending) await resend(one)
    await relay.down()
    await delay((OUTAGE_MINUTES - 1) * 60_000 - 10_000)
    return
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    await anotherTry()
    await moveClock(sql, MINUTES_A_TRY)
    await sql.query(`update reset_tokens set expires_at = expires_at - make_interval(mins => $1)`, [
      MINUTES_A_TRY,
    ])
    if (tries > 0) continue
    for (const one of resending) await resend(one)
    await relay.down()
  }
  await dueNow()
}

/** Uses what arrived as its owner would. */
async function works({ email, client, kind }: Waiting): Promise<boolean> {
  if (kind === 'reset') {
    const [mail] = await mails.mailsTo(email, { waitMs: 0 })
    const token = mail?.text.match(/\?token=([\w-]+)/)?.[1] ?? ''
    return (await client.call(resetPassword, resetWith(token))).status === 204
  }
  const verify = kind === 'sign-up' ? verifyEmail : verifyLogin
  // Two sign-ups with one email have a code each, and the mails come in any order.
  for (const { text } of await mails.mailsTo(email, { waitMs: 0 })) {
    const code = text.match(/\b\d{6}\b/)?.[0] ?? '000000'
    if ((await client.call(verify, { body: { email, code } })).status === 200) return true
  }
  return false
}

it('every code and link asked for while the relay was down arrives once it is back, and works', async () => {
  await mails.fault('fail')
  const began = performance.now()
  const asked = await everyoneAsks()
  await outage(asked)
  const seconds = (performance.now() - began) / 1000
  const during = await jobs()

  await mails.fault('none')
  await relay.up()
  const back = performance.now()
  await vi.waitUntil(async () => (await jobs()).unfinished === 0, PATIENCE)
  const after = await jobs()
  const arrivedAfter = (performance.now() - back) / 1000
  const { accepted } = (await (await fetch(`${mailbox.url}/stats`)).json()) as { accepted: number }
  const used = await limitedConcurrency(asked.length, (index) => works(asked[index]!))

  const superseded = OF_EACH_KIND * 2
  const sent = asked.length + OF_EACH_KIND
  figures('mail outage', {
    'minutes down': isFull ? (seconds / 60).toFixed(1) : `${TRIES * MINUTES_A_TRY} (moved clock)`,
    'codes and links asked for': asked.length,
    'jobs sent': after.ended('sent'),
    superseded: after.ended('superseded'),
    expired: after.ended('expired'),
    failed: after.failed,
    'completed without a mail': after.endedWithoutWord + after.ended('sent') - accepted,
    'seconds until all had arrived': arrivedAfter.toFixed(1),
    'that work': used.filter(Boolean).length,
  })
  expect(during.ended('sent') + during.endedWithoutWord).toBe(0)
  expect({
    sent: after.ended('sent'),
    accepted,
    superseded: after.ended('superseded'),
    others: after.ended('expired') + after.endedWithoutWord + after.failed,
    work: used.filter(Boolean).length,
  }).toEqual({
    sent,
    accepted: sent,
    superseded,
    others: 0,
    work: asked.length,
  })
  expect(arrivedAfter).toBeLessThan(60)
})

it('who asks for more mail than allowed while it is down is refused with words, and gets the rest', async () => {
  const strict = await boot({ environment: { SMTP_URL, ADDRESS_LIMIT_FACTOR: '1' } })
  await mails.fault('fail')
  const { email } = await strict.account()
  const ask = () => strict.newClient().call(forgotPassword, { body: { email } })
  const answers = await limitedConcurrency(10, ask, 1)
  const allowed = MAILS_TO_EMAIL_FROM_ADDRESS
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10 - allowed)
  expect(answers.at(-1)).toMatchObject({ body: { code: 'too_many_tries' } })
  await mails.fault('none')
  await dueNow(strict.sql)
  const arrived = async () => (await mails.mailsTo(email, { waitMs: 0 })).length
  await vi.waitUntil(async () => (await arrived()) === allowed, PATIENCE)
})

it('a code whose sign-in ends before the relay is back is reported as expired, and its owner starts anew', async () => {
  const before = (await jobs()).ended('expired')
  await mails.fault('fail')
  const { email, client } = await signIn()
  await anotherTry()
  await moveClock(sql, 31)
  await mails.fault('none')
  await dueNow()
  await vi.waitUntil(async () => (await jobs()).ended('expired') === before + 1, PATIENCE)
  expect(logged()).toMatch(/"level":"warn".*"msg":"mail: expired"/)
  expect(await mails.mailsTo(email, { waitMs: 0 })).toEqual([])
  expect(await client.call(verifyLogin, { body: { email, code: '123456' } })).toMatchObject({
    status: 400,
    body: { code: 'no_challenge' },
  })
})

it('a recipient whom the relay refuses is tried once, and reported as refused', async () => {
  const refusing = await startRelay({ RCPT: '550 5.1.1 no such user' })
  const other = await boot({ environment: { SMTP_URL: refusing.url } })
  const one = await other.account()
  await other.newClient().call(login, { body: one })
  const state = async () =>
    (await other.admin.queues.states()).find(({ name }) => name === 'auth.send-code')
  await vi.waitUntil(async () => (await state())?.refused === 1, PATIENCE)
  expect(await state()).toMatchObject({ unfinished: 0, dead: 0, refused: 1 })
  expect(refusing.said.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
  expect(other.logged()).toMatch(/"level":"warn".*"msg":"mail: refused"/)
  expect(other.logged()).not.toContain(one.email)
})
