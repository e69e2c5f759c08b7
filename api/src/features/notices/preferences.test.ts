import { randomUUID } from 'node:crypto'
import { NOTICES_ON_A_DAY, NOTICES_ON_BY_LINK_AN_HOUR } from '@guidon/contract/limits'
import {
  getDeliveriesOf,
  getNoticePreferences,
  getNoticePreferencesByToken,
  NOTICE_KINDS,
  setNoticePreference,
  setNoticePreferenceByToken,
  UNSUBSCRIBE_PATH,
} from '@guidon/contract/notices'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { noticeFixtures } from '@guidon/tests/notices'
import { describe, expect, it } from 'vitest'
import { noticeToken } from './link.ts'

const testApp = await boot()
const { sql, base } = testApp
const notices = noticeFixtures(testApp)
await notices.stopSchedule()
await notices.loaded()

const offOf = async (userId: string) => {
  const { rows } = await sql.query<{ off: string[] }>(
    'select off from notice_preferences where user_id = $1',
    [userId],
  )
  return rows[0]?.off ?? []
}

const tokenFor = (userId: string) =>
  noticeToken(notices.tokens, { userId, kinds: ['appointment', 'intake'] })

/** As a mail provider sends it: no Origin, no cookie. */
const post = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${base}${UNSUBSCRIBE_PATH}?token=${token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: 'List-Unsubscribe=One-Click',
  })

it('an account can turn notices on 50 times a day in Settings, and off without a limit', async () => {
  const account = await testApp.account()
  const client = await testApp.withSession(account)
  const flip = (on: boolean) =>
    client.call(setNoticePreference, { body: { kind: 'claimStep', on } })
  for (let times = 0; times < NOTICES_ON_A_DAY; times += 1) {
    expect([(await flip(false)).status, (await flip(true)).status]).toEqual([200, 200])
  }
  expect((await flip(false)).status).toBe(200)
  const refused = await flip(true)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
    account.email,
  ])
  expect(await offOf(rows[0]!.id)).toEqual(['claimStep'])
})

describe('the switches in Settings', () => {
  it('are all on at first, and keep what was flipped', async () => {
    const account = await testApp.account()
    const client = await testApp.signedIn(account)
    const first = await client.call(getNoticePreferences, {})
    expect(first.body).toEqual({
      switches: NOTICE_KINDS.map((kind) => ({ kind, on: true })),
    })
    await client.call(setNoticePreference, { body: { kind: 'appointment', on: false } })
    const { body } = await client.call(setNoticePreference, {
      body: { kind: 'intake', on: false },
    })
    expect(body.switches.filter(({ on }) => !on).map(({ kind }) => kind)).toEqual([
      'appointment',
      'intake',
    ])
    await client.call(setNoticePreference, { body: { kind: 'intake', on: true } })
    const last = await client.call(getNoticePreferences, {})
    expect(last.body.switches.filter(({ on }) => !on)).toEqual([{ kind: 'appointment', on: false }])
  })

  it('hold back only their own kind, also for notices that wait', async () => {
    const { email, contactId, userId } = await notices.veteran()
    await notices.store('appointment', notices.appointment(contactId))
    await notices.store('document', notices.document(contactId))
    await sql.query(`insert into notice_preferences (user_id, off) values ($1, '{appointment}')`, [
      userId,
    ])
    await notices.store('appointment', notices.appointment(contactId))
    notices.later(10)
    expect(await notices.sendDue()).toEqual(['sent'])
    const mails = await mailbox.mailsTo(email, { waitMs: 0 })
    expect(mails.map(({ subject }) => subject)).toEqual(['We need a document from you'])
  })

  it('do not turn off codes and other security mail', async () => {
    const account = await testApp.account()
    await sql.query(
      `insert into notice_preferences (user_id, off) select id, $2 from users where email = $1`,
      [account.email, NOTICE_KINDS],
    )
    await expect(testApp.signedIn(account)).resolves.toBeDefined()
  })
})

describe('the link in an email', () => {
  it('shows and sets the switches without a session', async () => {
    const { userId } = await notices.veteran()
    const client = testApp.newClient()
    const token = tokenFor(userId)
    const read = await client.send('GET', `${getNoticePreferencesByToken.path}?token=${token}`)
    expect(read.body).toEqual({
      switches: NOTICE_KINDS.map((kind) => ({ kind, on: true })),
    })
    expect(await offOf(userId)).toEqual([])
    await client.call(setNoticePreferenceByToken, { body: { token, kind: 'claimStep', on: false } })
    expect(await offOf(userId)).toEqual(['claimStep'])
  })

  it('turns off the kinds of its email with one click, without Origin, cookie or redirect', async () => {
    const { userId } = await notices.veteran()
    const response = await post(tokenFor(userId))
    expect([response.status, response.headers.get('set-cookie')]).toEqual([204, null])
    expect(await offOf(userId)).toEqual(['appointment', 'intake'])
    expect((await post(tokenFor(userId))).status).toBe(204)
    const { rows } = await sql.query(
      `select from audit_events where event = 'notices_changed' and subject_id = $1`,
      [userId],
    )
    expect(rows).toHaveLength(1)
  })

  it('also accepts a multipart form', async () => {
    const { userId } = await notices.veteran()
    const body = new FormData()
    body.set('List-Unsubscribe', 'One-Click')
    const url = `${base}${UNSUBSCRIBE_PATH}?token=${tokenFor(userId)}`
    expect((await fetch(url, { method: 'POST', body })).status).toBe(204)
    expect(await offOf(userId)).toEqual(['appointment', 'intake'])
  })

  it('accepts a body without a length, up to 8 kB', async () => {
    const { userId } = await notices.veteran()
    const url = `${base}${UNSUBSCRIBE_PATH}?token=${tokenFor(userId)}`
    const statusOf = async (bytes: number) => {
      const body = new Blob(['x'.repeat(bytes)]).stream()
      return (await fetch(url, { method: 'POST', body, duplex: 'half' })).status
    }
    expect(await statusOf(100_000)).toBe(413)
    expect(await offOf(userId)).toEqual([])
    expect(await statusOf(26)).toBe(204)
    expect(await offOf(userId)).toEqual(['appointment', 'intake'])
  })

  it('can turn notices on 30 times an hour, and off without a limit', async () => {
    const { userId } = await notices.veteran()
    const client = testApp.newClient()
    const flip = async (on: boolean) => {
      const body = { token: tokenFor(userId), kind: 'claimStep' as const, on }
      return (await client.call(setNoticePreferenceByToken, { body })).status
    }
    for (let times = 0; times < NOTICES_ON_BY_LINK_AN_HOUR; times += 1) {
      expect([await flip(false), await flip(true)]).toEqual([200, 200])
    }
    expect([await flip(false), await flip(true), await flip(false)]).toEqual([200, 429, 200])
    expect((await post(tokenFor(userId))).status).toBe(204)
    expect(await offOf(userId)).toEqual(['appointment', 'claimStep', 'intake'])
    const other = { token: tokenFor((await notices.veteran()).userId), kind: 'claimStep' as const }
    const { status } = await client.call(setNoticePreferenceByToken, {
      body: { ...other, on: true },
    })
    expect(status).toBe(200)
  })

  it('changes nothing by GET', async () => {
    const { userId } = await notices.veteran()
    await fetch(`${base}${UNSUBSCRIBE_PATH}?token=${tokenFor(userId)}`)
    expect(await offOf(userId)).toEqual([])
  })

  it('does nothing if it is forged, cut off, or of an account that does not exist', async () => {
    const { userId } = await notices.veteran()
    const token = tokenFor(userId)
    const other = await notices.veteran()
    const [, signature = ''] = token.split('.')
    const forged = [
      token.slice(0, -1),
      `${other.userId.replaceAll('-', '')}12.${signature}`,
      token.replace('.', '0.'),
      `${userId.replaceAll('-', '')}3f.${signature}`,
      `${userId.replaceAll('-', '')}12.`,
      tokenFor(randomUUID()),
    ]
    const statuses = await Promise.all(forged.map(async (each) => (await post(each)).status))
    expect(statuses).toEqual(forged.map(() => 404))
    expect(await offOf(userId)).toEqual([])
    expect(await offOf(other.userId)).toEqual([])
  })
})

it('staff see what was sent, when and with which result, and never a code', async () => {
  const account = await testApp.account()
  await testApp.signedIn(account)
  const [mail] = await mailbox.mailsTo(account.email)
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
    account.email,
  ])
  const staff = await testApp.withSession(await testApp.account('STAFF'))
  const { body } = await staff.call(getDeliveriesOf, { params: { id: rows[0]!.id } })
  expect(body.deliveries).toEqual([
    expect.objectContaining({ kinds: expect.arrayContaining(['security']), state: 'sent' }),
    // Used, so it has arrived.
    expect.objectContaining({ kinds: ['code'], state: 'delivered', result: null }),
  ])
  const code = mail?.text.match(/\b\d{6}\b/)?.[0] ?? '-'
  expect(JSON.stringify(body)).not.toContain(code)
  const audit = await sql.query(
    `select from audit_events where event = 'deliveries_viewed' and subject_id = $1`,
    [rows[0]!.id],
  )
  expect(audit.rows).toHaveLength(1)
})
