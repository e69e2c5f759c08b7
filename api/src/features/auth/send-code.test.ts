import { randomBytes, randomUUID } from 'node:crypto'
import { login } from '@guidon/contract/auth'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../../db/database.ts'
import type { EmailMessage } from '../../mail/port.ts'
import { sendOnce } from '../../mail/send-once.ts'
import { readBrand } from '../../platform/brand.ts'
import { tokens } from '../../platform/tokens.ts'
import { sendCodeWork } from './send-code.ts'

const testApp = await boot({ worker: false })
const db = openDatabase(
  openPool({
    url: testApp.config.DATABASE_URL,
    size: 2,
    statementTimeoutMs: 0,
    onIdleError: () => {},
  }),
)
afterAll(() => db.destroy())

let isRelayDown = false
const sent: { to: string; message: EmailMessage; id: string }[] = []
const workerWith = (keys: readonly Buffer[]) =>
  sendCodeWork({
    db,
    tokens: tokens(keys),
    brand: readBrand(testApp.config.BRAND_DIR).brand,
    portal: testApp.config.PUBLIC_URL,
    send: sendOnce(db, {
      send: async (to, message, id) => {
        if (isRelayDown) throw new Error('relay down')
        sent.push({ to, message, id })
      },
    }),
  })
const { run } = workerWith(testApp.config.TOKEN_KEY)

async function startedSignIn() {
  const user = await testApp.account()
  await testApp.newClient().call(login, { body: user })
  const { rows } = await testApp.sql.query(
    'select challenges.id from challenges join users on users.id = user_id where email = $1',
    [user.email],
  )
  return { email: user.email, challengeId: rows[0].id as string }
}

const moveClock = (challengeId: string, minutes: number) =>
  testApp.sql.query(
    `update challenges set created_at = created_at - make_interval(mins => $2),
       code_expires_at = code_expires_at - make_interval(mins => $2),
       expires_at = expires_at - make_interval(mins => $2) where id = $1`,
    [challengeId, minutes],
  )

const minutesLeft = async (challengeId: string) => {
  const { rows } = await testApp.sql.query(
    `select round(extract(epoch from code_expires_at - now()) / 60)::int as code,
       round(extract(epoch from expires_at - now()) / 60)::int as challenge
     from challenges where id = $1`,
    [challengeId],
  )
  return rows[0]
}

const emailsTo = (email: string) => sent.filter(({ to }) => to === email)

describe('the job that sends a code', () => {
  it('sends one email even if it runs twice', async () => {
    const { email, challengeId } = await startedSignIn()
    const id = randomUUID()
    await run({ challengeId, send: 1 }, { id })
    await run({ challengeId, send: 1 }, { id })
    expect(emailsTo(email)).toHaveLength(1)
  })

  it('sends the same code and Message-ID when its worker died before it recorded the email as sent', async () => {
    const { email, challengeId } = await startedSignIn()
    const id = randomUUID()
    await run({ challengeId, send: 1 }, { id })
    await testApp.sql.query('delete from sent_mails where job_id = $1', [id])
    await run({ challengeId, send: 1 }, { id })
    const [first, second] = emailsTo(email)
    expect(second).toEqual(first)
  })

  it('sends the same code when it runs again after the key was changed', async () => {
    const { email, challengeId } = await startedSignIn()
    const id = randomUUID()
    await run({ challengeId, send: 1 }, { id })
    await testApp.sql.query('delete from sent_mails where job_id = $1', [id])
    const renewed = workerWith([randomBytes(32), ...testApp.config.TOKEN_KEY])
    await renewed.run({ challengeId, send: 1 }, { id })
    const [first, second] = emailsTo(email)
    expect(second).toEqual(first)
  })

  it('sends nothing if a newer code was requested or the sign-in has ended', async () => {
    const { email, challengeId } = await startedSignIn()
    await testApp.sql.query('update challenges set sends = 2 where id = $1', [challengeId])
    await run({ challengeId, send: 1 }, { id: randomUUID() })
    await testApp.sql.query('update challenges set consumed_at = now() where id = $1', [
      challengeId,
    ])
    await run({ challengeId, send: 2 }, { id: randomUUID() })
    expect(emailsTo(email)).toEqual([])
  })

  it('returns its outcome: sent, superseded or expired', async () => {
    const { challengeId } = await startedSignIn()
    const id = randomUUID()
    expect(await run({ challengeId, send: 1 }, { id })).toBe('sent')
    expect(await run({ challengeId, send: 1 }, { id })).toBe('sent')
    await testApp.sql.query('update challenges set sends = 2 where id = $1', [challengeId])
    expect(await run({ challengeId, send: 1 }, { id: randomUUID() })).toBe('superseded')
    await testApp.sql.query('update challenges set expires_at = now() where id = $1', [challengeId])
    expect(await run({ challengeId, send: 2 }, { id: randomUUID() })).toBe('expired')
    const replaced = { challengeId: randomUUID(), send: 1 }
    expect(await run(replaced, { id: randomUUID() })).toBe('superseded')
  })

  it('sends a code that is valid for 10 minutes, even after an outage of the relay', async () => {
    const { challengeId } = await startedSignIn()
    const id = randomUUID()
    isRelayDown = true
    await expect(run({ challengeId, send: 1 }, { id })).rejects.toThrow('relay down')
    await moveClock(challengeId, 29)
    isRelayDown = false
    expect(await run({ challengeId, send: 1 }, { id })).toBe('sent')
    // The challenge is extended, or the code could not be entered.
    expect(await minutesLeft(challengeId)).toEqual({ code: 10, challenge: 10 })
  })

  it('does not extend the validity of a sent code when it runs again', async () => {
    const { challengeId } = await startedSignIn()
    const id = randomUUID()
    await run({ challengeId, send: 1 }, { id })
    await moveClock(challengeId, 4)
    expect(await run({ challengeId, send: 1 }, { id })).toBe('sent')
    expect(await minutesLeft(challengeId)).toEqual({ code: 6, challenge: 26 })
  })

  it('sends six digits that differ between sign-ins', async () => {
    const codes = new Set<string>()
    for (let n = 0; n < 5; n += 1) {
      const { email, challengeId } = await startedSignIn()
      await run({ challengeId, send: 1 }, { id: randomUUID() })
      codes.add(emailsTo(email)[0]?.message.text.match(/\b\d{6}\b/)?.[0] ?? '')
    }
    expect(codes.size).toBeGreaterThan(3)
  })

  it('is queued if and only if the challenge is stored', async () => {
    const count = async () => {
      const { rows } = await testApp.sql.query(
        `select (select count(*) from challenges)::int as challenges,
           (select count(*) from pgboss.job where name = 'auth.send-code')::int as jobs`,
      )
      return rows[0]
    }
    const { challenges, jobs } = await count()
    expect(jobs).toBe(challenges)
    const user = await testApp.account()
    await testApp.sql.query('alter table challenges add constraint no_more check (false) not valid')
    expect(await testApp.newClient().call(login, { body: user })).toMatchObject({ status: 500 })
    expect(await count()).toEqual({ challenges, jobs })
  })

  it('stores neither address nor code in the queue', async () => {
    const { rows } = await testApp.sql.query('select data from pgboss.job')
    for (const { data } of rows)
      expect(Object.keys(data).toSorted()).toEqual(['challengeId', 'send'])
  })
})

describe('the email', () => {
  it('has an HTML and a text part with the code and the phone number, and without the name', async () => {
    const other = await boot()
    const user = await other.account()
    await other.newClient().call(login, { body: user })
    const [mail] = await mailbox.mailsTo(user.email)
    expect(mail?.subject).toBe('Your Guidon sign-in code')
    for (const form of [mail?.text, mail?.html]) {
      // Without 838255, which is the number of the crisis line.
      expect(form).toMatch(/\b(?!838255)\d{6}\b/)
      expect(form).toContain('1-800-555-0142')
      expect(form).not.toContain('James')
      expect(form).not.toContain('Whitfield')
    }
    expect(mail?.html).toContain('lang="en"')
  })
})
