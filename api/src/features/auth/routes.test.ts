// More than 300 lines in one file: each test file starts its own application, and these tests share one.

import {
  checkAuth,
  login,
  logout,
  refresh,
  resendVerificationCode,
  verifyLogin,
} from '@guidon/contract/auth'
import { CODE_TRIES, REFRESHES_OF_ONE_TOKEN } from '@guidon/contract/limits'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { PASSWORD } from '@guidon/tests/outside/account'
import { describe, expect, it } from 'vitest'

const testApp = await boot()
const { account, newClient, signedIn, sql } = testApp

const moveClock = (minutes: number, email: string) =>
  sql.query(
    `update challenges set code_expires_at = code_expires_at - make_interval(mins => $1),
       expires_at = expires_at - make_interval(mins => $1), sent_at = sent_at - make_interval(mins => $1)
     where user_id = (select id from users where email = $2)`,
    [minutes, email],
  )

describe('signing in', () => {
  it('sends a six-digit code after the password, and opens a session after the code', async () => {
    const { email, password } = await account()
    const client = newClient()

    expect(await client.call(login, { body: { email, password } })).toMatchObject({ status: 204 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })

    const code = await mailbox.codeFor(email)
    const verified = await client.call(verifyLogin, { body: { email, code } })
    expect(verified).toMatchObject({ status: 200, body: { user: { role: 'USER' } } })

    const checked = await client.call(checkAuth, {})
    expect(checked.status).toBe(200)
    expect(checked.body).toEqual({
      user: {
        role: 'USER',
        email,
        firstName: 'James',
        lastName: 'Whitfield',
        phone: '6195550134',
        state: 'California',
        consentsDue: false,
        emailReachable: true,
      },
    })
  })

  it('accepts the email in upper and lower case', async () => {
    const { email, password } = await account()
    const response = await newClient().call(login, {
      body: { email: ` ${email.toUpperCase()} `, password },
    })
    expect(response.status).toBe(204)
  })

  it('gives unknown emails and wrong passwords the same response', async () => {
    const { email } = await account()
    const wrong = await newClient().call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
    const unknown = await newClient().call(login, {
      body: { email: `no-${email}`, password: PASSWORD },
    })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong_credentials' } })
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.headers.getSetCookie()).toEqual([])
  })

  it('asks a deactivated user to call, but only with the right password', async () => {
    const { email, password } = await account()
    await sql.query('update users set is_active = false where email = $1', [email])
    const right = await newClient().call(login, { body: { email, password } })
    expect(right).toMatchObject({ status: 400, body: { code: 'account_deactivated' } })
    expect(right.body.message).toContain('1-800-555-0142')
    const wrong = await newClient().call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
    expect(wrong.body.code).toBe('wrong_credentials')
  })

  it('responds with 422 and a message for each invalid field', async () => {
    const response = await newClient().call(login, { body: { email: 'james', password: '12345' } })
    expect(response).toMatchObject({
      status: 422,
      body: {
        fields: {
          email: 'Enter a valid email address',
          password: 'Password must be at least 6 characters long',
        },
      },
    })
  })

  it('stores neither code nor token in plain text', async () => {
    const { email, password } = await account()
    const client = newClient()
    await client.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const { rows } = await sql.query('select challenges::text as row from challenges')
    const stored = rows.map(({ row }) => row).join()
    expect(stored).not.toContain(code)
    for (const token of client.cookies.values()) expect(stored).not.toContain(token)
  })
})

describe('the code', () => {
  const started = async () => {
    const { email, password } = await account()
    const client = newClient()
    await client.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const wrong = code === '000000' ? '111111' : '000000'
    return { email, client, code, wrong }
  }

  it('opens exactly one session when it is entered many times at once', async () => {
    const { email, client, code } = await started()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.call(verifyLogin, { body: { email, code } })),
    )
    const right = responses.filter(({ status }) => status === 200)
    // A request after the first one may repeat it, and gets the same tokens.
    const cookies = right.map(({ headers }) => headers.getSetCookie().toSorted().join())
    expect(new Set(cookies).size).toBe(1)
    const { rows } = await sql.query(
      'select count(*)::int as n from sessions join users on users.id = user_id where email = $1',
      [email],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it(`is void after ${CODE_TRIES} wrong tries: then the right code is refused`, async () => {
    const { email, client, code, wrong } = await started()
    for (let attempt = 0; attempt < CODE_TRIES; attempt += 1) {
      const response = await client.call(verifyLogin, { body: { email, code: wrong } })
      expect(response).toMatchObject({ status: 400, body: { code: 'wrong_code' } })
    }
    expect(await client.call(verifyLogin, { body: { email, code } })).toMatchObject({ status: 400 })
  })

  it('is void after 10 minutes', async () => {
    const { email, client, code } = await started()
    await moveClock(10, email)
    expect(await client.call(verifyLogin, { body: { email, code } })).toMatchObject({ status: 400 })
  })

  it('works only with the challenge cookie of its own sign-in', async () => {
    const { email, code } = await started()
    const other = await started()
    expect(await newClient().call(verifyLogin, { body: { email, code } })).toMatchObject({
      status: 400,
      body: { code: 'no_challenge' },
    })
    expect(await other.client.call(verifyLogin, { body: { email, code } })).toMatchObject({
      status: 400,
    })
  })

  it('is replaced by a resend, which is possible after 60 seconds', async () => {
    const { email, client, code } = await started()
    const [first] = await mailbox.mailsTo(email)
    const again = () =>
      client.call(resendVerificationCode, { body: { email, verificationType: 'login' } })

    const early = await again()
    expect(early).toMatchObject({ status: 429, body: { code: 'resend_too_soon' } })
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(50)

    await moveClock(1, email)
    expect(await again()).toMatchObject({ status: 202 })
    const second = await mailbox.codeFor(email, { after: first?.id ?? '' })
    // The old code is void. One time in a million the new code has the same digits.
    const old = await client.call(verifyLogin, { body: { email, code } })
    expect(old.status).toBe(second === code ? 200 : 400)
    expect(await client.call(verifyLogin, { body: { email, code: second } })).toMatchObject({
      status: 200,
    })
  })

  it('is not resent without the challenge cookie', async () => {
    const { email } = await started()
    const response = await newClient().call(resendVerificationCode, {
      body: { email, verificationType: 'login' },
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
  })
})

describe('the session', () => {
  const ageSessions = (interval: string, email: string) =>
    sql.query(
      `update sessions set last_seen_at = last_seen_at - $1::interval
       where user_id = (select id from users where email = $2)`,
      [interval, email],
    )
  const expireAccess = (email: string) =>
    sql.query(
      `update session_tokens set access_expires_at = now() where session_id in
         (select sessions.id from sessions join users on users.id = user_id where email = $1)`,
      [email],
    )

  it('ends at once with a logout, also for copies of its cookies', async () => {
    const client = await signedIn(await account())
    const thief = newClient()
    for (const [name, value] of client.cookies) thief.cookies.set(name, value)

    expect(await client.call(logout, {})).toMatchObject({ status: 204 })
    expect([...client.cookies.keys()]).toEqual(['guidon-device'])
    expect(await thief.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await thief.call(refresh, {})).toMatchObject({ status: 401 })
  })

  it('ends when its browser signs in again, while other sessions continue', async () => {
    const veteran = await account()
    const client = await signedIn(veteran)
    const copy = newClient()
    for (const [name, value] of client.cookies) copy.cookies.set(name, value)
    const [first] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    const other = await signedIn(veteran, { after: first })

    const [second] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    await client.call(login, { body: veteran })
    expect(await copy.call(checkAuth, {})).toMatchObject({ status: 200 })
    const code = await mailbox.codeFor(veteran.email, { after: second!.id })
    const { cookies } = client
    const challenge = cookies.get('guidon-challenge')!
    const body = { email: veteran.email, code }
    expect(await client.call(verifyLogin, { body })).toMatchObject({ status: 200 })

    expect(await copy.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await copy.call(refresh, {})).toMatchObject({ status: 401 })
    expect(await other.call(checkAuth, {})).toMatchObject({ status: 200 })
    // A repeated request, which now presents the new session, does not end it.
    cookies.set('guidon-challenge', challenge)
    expect(await client.call(verifyLogin, { body })).toMatchObject({ status: 200 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 200 })
  })

  it('continues after the access token has expired, with one refresh', async () => {
    const user = await account()
    const client = await signedIn(user)
    await expireAccess(user.email)
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await client.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 200 })
  })

  it('survives a refresh whose response was lost', async () => {
    const client = await signedIn(await account())
    const before = new Map(client.cookies)
    await client.call(refresh, {})
    client.cookies.clear()
    for (const [name, value] of before) client.cookies.set(name, value)
    expect(await client.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await client.call(refresh, {})).toMatchObject({ status: 204 })
  })

  it('survives 20 concurrent refreshes, no matter which response the browser keeps', async () => {
    const client = await signedIn(await account())
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.call(refresh, {})))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(204))
    expect(await client.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 200 })
  })

  it('limits the refreshes with one token, and says when to retry', async () => {
    const user = await account()
    const client = await signedIn(user)
    const firstCookies = new Map(client.cookies)
    const again = () => {
      for (const [name, value] of firstCookies) client.cookies.set(name, value)
      return client.call(refresh, {})
    }
    for (let n = 0; n < REFRESHES_OF_ONE_TOKEN; n += 1) expect((await again()).status).toBe(204)
    const refused = await again()
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300)
    await expireAccess(user.email)
    expect((await again()).status).toBe(204)
    expect((await client.call(refresh, {})).status).toBe(204)
  })

  it('is revoked when a retired refresh token is used', async () => {
    const client = await signedIn(await account())
    const thief = newClient()
    for (const [name, value] of client.cookies) thief.cookies.set(name, value)
    await client.call(refresh, {})
    await client.call(refresh, {})
    expect(await thief.call(refresh, {})).toMatchObject({ status: 401 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })
  })

  it('ends after 30 idle minutes, for staff after 15', async () => {
    const veteran = await account('USER')
    const staff = await account('STAFF')
    const [veteranClient, staffClient] = [await signedIn(veteran), await signedIn(staff)]
    await Promise.all([
      ageSessions('16 minutes', veteran.email),
      ageSessions('16 minutes', staff.email),
    ])
    expect(await staffClient.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await veteranClient.call(checkAuth, {})).toMatchObject({ status: 200 })
    // The last request ended the idle time.
    await ageSessions('29 minutes', veteran.email)
    expect(await veteranClient.call(checkAuth, {})).toMatchObject({ status: 200 })
    await ageSessions('31 minutes', veteran.email)
    expect(await veteranClient.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await veteranClient.call(refresh, {})).toMatchObject({ status: 401 })
  })

  it('ends after 12 hours, even without idle time', async () => {
    const user = await account()
    const client = await signedIn(user)
    await sql.query(
      `update sessions set expires_at = expires_at - interval '12 hours'
       where user_id = (select id from users where email = $1)`,
      [user.email],
    )
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })
  })

  it('ends at once when the account is deactivated', async () => {
    const user = await account()
    const client = await signedIn(user)
    await sql.query('update users set is_active = false where email = $1', [user.email])
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await client.call(refresh, {})).toMatchObject({ status: 401 })
  })

  it('is not opened by a forged token', async () => {
    const forger = newClient()
    forger.cookies.set('guidon-access', 'A'.repeat(43))
    forger.cookies.set('guidon-refresh', 'A'.repeat(43))
    expect(await forger.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await forger.call(refresh, {})).toMatchObject({ status: 401 })
  })
})

describe('the log', () => {
  it('contains no email, password, name or token', async () => {
    const user = await account()
    const client = await signedIn(user)
    const secrets = [user.email, user.password, 'Whitfield', ...client.cookies.values()]
    expect(testApp.logged()).toContain('"route":"/auth/verify-login"')
    for (const secret of secrets) expect(testApp.logged()).not.toContain(secret)
  })
})
