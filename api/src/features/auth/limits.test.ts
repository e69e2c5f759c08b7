// More than 300 lines in one file: each test file starts its own application, and these tests share one.

import { randomBytes, randomUUID } from 'node:crypto'
import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { WRONG_SIGN_INS_A_DAY } from '@guidon/contract/limits'
import { resetUserPassword } from '@guidon/contract/manage-users'
import { forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { mailbox, newestCodeMail } from '@guidon/tests/mailbox'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'
import { secondsToWait, takeWithBackoff } from '../../db/limits.ts'

const { account, admin, config, signedIn, newClient, sql } = await boot({
  environment: { ADDRESS_LIMIT_FACTOR: '1' },
})

let networks = 0
const newAddress = () => `198.18.${(networks += 1) >> 8}.${networks & 255}`
const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const wrongPassword = (email: string) => ({ body: { email, password: 'Wrong-Lantern-42!' } })
const moveClock = (minutes: number) =>
  sql.query(
    `update limits set blocked_until = blocked_until - make_interval(mins => $1),
       resets_at = resets_at - make_interval(mins => $1)`,
    [minutes],
  )

/** Uses up the daily limit of wrong passwords, from many addresses. */
async function useUpDailyLimit(email: string): Promise<void> {
  for (let n = 0; n < WRONG_SIGN_INS_A_DAY; n += 1) {
    await newClient().call(login, { ...wrongPassword(email), ...from(newAddress()) })
  }
}

describe('wrong passwords', () => {
  it.each(['known', 'unknown'])(
    'require a wait of 1, 2, 4 … 15 minutes after five, for %s emails',
    async (kind) => {
      const email = kind === 'known' ? (await account()).email : 'unknown@example.com'
      const attempt = () =>
        newClient().call(login, { ...wrongPassword(email), ...from('203.0.113.1') })
      for (let n = 0; n < 5; n += 1) expect(await attempt()).toMatchObject({ status: 400 })
      for (const minutes of [1, 2, 4, 8, 15, 15]) {
        const blocked = await attempt()
        expect(blocked).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
        expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan((minutes - 1) * 60)
        expect(Number(blocked.headers.get('retry-after'))).toBeLessThanOrEqual(minutes * 60)
        await moveClock(minutes)
        expect(await attempt()).toMatchObject({ status: 400 })
      }
    },
  )

  it('from one address do not lock out the owner at another', async () => {
    const user = await account()
    for (let n = 0; n < 6; n += 1) {
      await newClient().call(login, { ...wrongPassword(user.email), ...from('203.0.113.2') })
    }
    const attacker = await newClient().call(login, { body: user, ...from('203.0.113.2') })
    expect(attacker.status).toBe(429)
    expect(await newClient().call(login, { body: user, ...from('198.51.100.7') })).toMatchObject({
      status: 204,
    })
  })

  it('are counted before they are compared: of 20 at once, five are compared', async () => {
    const { email } = await account()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        newClient().call(login, { ...wrongPassword(email), ...from('203.0.113.3') }),
      ),
    )
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('are limited to 50 a day for an account, from any number of addresses', async () => {
    const { email } = await account()
    let compared = 0
    for (let n = 0; n < 60; n += 1) {
      const response = await newClient().call(login, {
        ...wrongPassword(email),
        ...from(`203.0.113.${100 + n}`),
      })
      if (response.status === 400) compared += 1
    }
    expect(compared).toBe(50)
    const today = await newClient().call(login, { ...wrongPassword(email), ...from(newAddress()) })
    expect(today.body.message).toBe(
      'There were too many tries. Please try again in about 24 hours. ' +
        'If this is your account, Forgot password lets you in at once.',
    )
  })

  it('from one IPv6 /64 count as from one address', async () => {
    const { email } = await account()
    const statuses: number[] = []
    for (let n = 1; n <= 8; n += 1) {
      const response = await newClient().call(login, {
        ...wrongPassword(email),
        ...from(`2001:db8:7:7::${n.toString(16)}`),
      })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
    const fromNextNetwork = await newClient().call(login, {
      ...wrongPassword(email),
      ...from('2001:db8:7:8::1'),
    })
    expect(fromNextNetwork.status).toBe(400)
  })

  it('of others do not use up the tries of a known device, which never waits longer than 15 minutes', async () => {
    const user = await account()
    const owner = await signedIn(user)
    await useUpDailyLimit(user.email)
    expect((await newClient().call(login, { body: user, ...from(newAddress()) })).status).toBe(429)
    expect((await owner.call(login, { body: user, ...from(newAddress()) })).status).toBe(204)
    let longest = 0
    for (let n = 0; n < 20; n += 1) {
      const response = await owner.call(login, {
        ...wrongPassword(user.email),
        ...from(newAddress()),
      })
      if (response.status !== 429) continue
      longest = Math.max(longest, retryAfter(response))
      expect(response.body.message).toMatch(
        /^There were too many tries\. Please try again in \d+ minutes?\.$/,
      )
      await moveClock(15)
    }
    expect(longest).toBeGreaterThan(8 * 60)
    expect(longest).toBeLessThanOrEqual(15 * 60)
    await moveClock(15)
    expect((await owner.call(login, { body: user, ...from(newAddress()) })).status).toBe(204)
  })

  it('are cleared by a reset link, and the browser that used it becomes a known device', async () => {
    const user = await account()
    await useUpDailyLimit(user.email)
    const owner = newClient()
    const newPassword = 'Meadow5!anchor-river'
    await owner.call(forgotPassword, { body: { email: user.email }, ...from(newAddress()) })
    const [mail] = await mailbox.mailsTo(user.email)
    const token = mail?.text.match(/\?token=([\w-]+)/)?.[1] ?? ''
    const body = { token, newPassword, confirmPassword: newPassword }
    expect((await owner.call(resetPassword, { body })).status).toBe(204)
    await useUpDailyLimit(user.email)
    const renewed = { email: user.email, password: newPassword }
    const elsewhere = await newClient().call(login, { body: renewed, ...from(newAddress()) })
    expect(elsewhere.status).toBe(429)
    expect((await owner.call(login, { body: renewed, ...from(newAddress()) })).status).toBe(204)
  })

  it('are cleared when staff set a password, and by the operator', async () => {
    const [user, staff] = [await account(), await account('STAFF')]
    const manager = await signedIn(staff)
    await useUpDailyLimit(user.email)
    const { rows } = await sql.query('select id from users where email = $1', [user.email])
    const newPassword = 'Meadow5!anchor-river'
    const set = await manager.call(resetUserPassword, {
      params: { id: rows[0].id },
      body: { newPassword, confirmPassword: newPassword },
    })
    expect(set.status).toBe(204)
    const body = { email: user.email, password: newPassword }
    expect((await newClient().call(login, { body, ...from(newAddress()) })).status).toBe(204)

    await useUpDailyLimit(user.email)
    expect((await newClient().call(login, { body, ...from(newAddress()) })).status).toBe(429)
    expect(await admin.accounts.unlock('nobody@example.com')).toBe(false)
    expect(await admin.accounts.unlock(user.email)).toBe(true)
    expect((await newClient().call(login, { body, ...from(newAddress()) })).status).toBe(204)
  })

  it('after limits were cleared lock nobody out for longer than 15 minutes, whatever others try', async () => {
    const user = await account()
    await useUpDailyLimit(user.email)
    await admin.accounts.unlock(user.email)
    await useUpDailyLimit(user.email)
    const refused = await newClient().call(login, { body: user, ...from(newAddress()) })
    expect(refused.status).toBe(429)
    expect(retryAfter(refused)).toBeLessThanOrEqual(15 * 60)
    await moveClock(15)
    expect(await newClient().call(login, { body: user, ...from(newAddress()) })).toMatchObject({
      status: 204,
    })
  })

  it('for many accounts are limited to 100 from one address, except on known devices', async () => {
    const user = await account()
    const owner = await signedIn(user)
    const sharedAddress = from(newAddress())
    for (let n = 0; n < 100; n += 1) {
      await newClient().call(login, {
        ...wrongPassword(`sprayed-${n}@example.com`),
        ...sharedAddress,
      })
    }
    const refused = await newClient().call(login, { body: user, ...sharedAddress })
    expect(refused.status).toBe(429)
    expect(retryAfter(refused)).toBeLessThanOrEqual(15 * 60)
    expect((await owner.call(login, { body: user, ...sharedAddress })).status).toBe(204)
    expect((await newClient().call(login, { body: user, ...from(newAddress()) })).status).toBe(204)
  })

  it('never make the wait overflow, however many there were', async () => {
    const db = databaseAt(config.DATABASE_URL, 1)
    const backoff = { key: randomBytes(32), free: 5, maxMinutes: 15 }
    await takeWithBackoff(db, backoff)
    await sql.query('update limits set count = 2000000 where key = $1', [backoff.key])
    expect(await takeWithBackoff(db, backoff)).toBe(true)
    expect(await secondsToWait(db, [backoff])).toBeLessThanOrEqual(15 * 60)
  })

  it('are cleared by a right password from the same address', async () => {
    const user = await account()
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 4; n += 1)
        await newClient().call(login, { ...wrongPassword(user.email), ...from('203.0.113.4') })
      expect(await newClient().call(login, { body: user, ...from('203.0.113.4') })).toMatchObject({
        status: 204,
      })
    }
  })
})

describe('wrong codes', () => {
  it('are limited to 20 a day for an account, over all its sign-ins', async () => {
    const user = await account()
    let last = undefined
    for (let round = 0; round < 5; round += 1) {
      const client = newClient()
      await client.call(login, { body: user })
      const code = await mailbox.codeFor(user.email, { after: last?.id ?? '' })
      ;[last] = await mailbox.mailsTo(user.email)
      for (let n = 0; n < 5; n += 1) {
        const other = code === '000000' ? '111111' : '000000'
        await client.call(verifyLogin, { body: { email: user.email, code: other } })
      }
      if (round < 4) continue
      const full = await client.call(verifyLogin, { body: { email: user.email, code } })
      expect(full).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
      expect(retryAfter(full)).toBeGreaterThan(3_600)
    }
  })

  it('of someone who has the password do not use up the tries of a known device', async () => {
    const user = await account()
    const owner = await signedIn(user)
    const attacker = newClient()
    await attacker.call(login, { body: user })
    for (let n = 0; n < 25; n += 1) {
      await attacker.call(verifyLogin, { body: { email: user.email, code: '000000' } })
    }
    const last = await newestCodeMail(user.email, 2)
    await owner.call(login, { body: user })
    const code = await mailbox.codeFor(user.email, { after: last.id })
    expect((await owner.call(verifyLogin, { body: { email: user.email, code } })).status).toBe(200)
  })

  it('of others who sign up with an email do not count for its owner', async () => {
    const email = `${randomUUID()}@example.com`
    const attacker = from(newAddress())
    const responses: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const client = newClient()
      await client.call(register, { body: { ...NEWCOMER, email }, ...attacker })
      await newestCodeMail(email, round + 1)
      for (let n = 0; n < 5; n += 1) {
        const wrongCode = { body: { email, code: '000000' }, ...attacker }
        responses.push((await client.call(verifyEmail, wrongCode)).status)
      }
    }
    expect(responses.filter((status) => status === 400)).toHaveLength(20)
    expect(responses.filter((status) => status === 429)).toHaveLength(5)

    const last = await newestCodeMail(email, 5)
    const owner = newClient()
    const home = from(newAddress())
    expect((await owner.call(register, { body: { ...NEWCOMER, email }, ...home })).status).toBe(202)
    const code = await mailbox.codeFor(email, { after: last.id })
    expect((await owner.call(verifyEmail, { body: { email, code }, ...home })).status).toBe(200)
  })
})

describe('email that requests without a session can cause', () => {
  const requestReset = (email: string, address: string) =>
    newClient().call(forgotPassword, { body: { email }, ...from(address) })

  it.each(['known', 'unknown'])(
    'to one %s recipient is limited to 6 from one address and 10 in all, then refused with a retry time',
    async (kind) => {
      const email = kind === 'known' ? (await account()).email : `${randomUUID()}@example.com`
      const attacker = newAddress()
      const statuses: number[] = []
      for (let n = 0; n < 8; n += 1) statuses.push((await requestReset(email, attacker)).status)
      expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429, 429])
      for (let n = 0; n < 4; n += 1)
        expect((await requestReset(email, newAddress())).status).toBe(202)
      const signUp = await newClient().call(register, {
        body: { ...NEWCOMER, email },
        ...from(newAddress()),
      })
      expect(signUp).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
      expect(signUp.body.message).toBe('There were too many tries. Please try again in 15 minutes.')
    },
  )

  it('never prevents the owner from resetting the password on a known device', async () => {
    const user = await account()
    const owner = await signedIn(user)
    const busy = newAddress()
    for (let n = 0; n < 20; n += 1) await requestReset(`${n}-${user.email}`, busy)
    for (let n = 0; n < 10; n += 1) await requestReset(user.email, newAddress())
    expect((await requestReset(user.email, newAddress())).status).toBe(429)
    const again = await owner.call(forgotPassword, { body: { email: user.email }, ...from(busy) })
    expect(again.status).toBe(202)
  })

  it('is limited to 20 sign-ups and 20 reset links from one address', async () => {
    const sharedAddress = newAddress()
    const resets: number[] = []
    const signUps: number[] = []
    for (let n = 0; n < 25; n += 1) {
      const email = `${n}@office.example.com`
      resets.push((await requestReset(email, sharedAddress)).status)
      const request = { body: { ...NEWCOMER, email }, ...from(sharedAddress) }
      signUps.push((await newClient().call(register, request)).status)
    }
    expect(resets.filter((status) => status === 202)).toHaveLength(20)
    expect(signUps.filter((status) => status === 202)).toHaveLength(20)
  })

  it('with sign-in codes is limited to 6 in 15 minutes for an account, and to 6 more on each known device', async () => {
    const user = await account()
    // On a device that is still unknown, so it uses one of the six.
    const owner = await signedIn(user)
    const statuses: number[] = []
    for (let n = 0; n < 7; n += 1) {
      statuses.push((await newClient().call(login, { body: user, ...from(newAddress()) })).status)
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429])
    const full = await newClient().call(login, { body: user, ...from(newAddress()) })
    expect(full).toMatchObject({ status: 429, body: { code: 'too_many_codes' } })
    expect(retryAfter(full)).toBeLessThanOrEqual(15 * 60)
    expect((await owner.call(login, { body: user })).status).toBe(204)
  })
})

describe('resent codes', () => {
  it('are limited to 5 an hour for an account, over all its sign-ins', async () => {
    const user = await account()
    const resend = async (client: TestClient) => {
      await sql.query("update challenges set sent_at = sent_at - interval '1 minute'")
      return client.call(resendVerificationCode, {
        body: { email: user.email, verificationType: 'login' },
      })
    }
    const statuses: number[] = []
    for (let round = 0; round < 2; round += 1) {
      const client = newClient()
      await client.call(login, { body: user })
      for (let n = 0; n < 3; n += 1) statuses.push((await resend(client)).status)
      await moveClock(15)
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })
})
