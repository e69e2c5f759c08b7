import {
  checkAuth,
  login,
  logout,
  refresh,
  resendVerificationCode,
  verifyLogin,
} from '@guidon/contract/auth'
import { CODE_TRIES, REFRESHES_OF_ONE_TOKEN } from '@guidon/contract/limits'
import { describe, expect, it } from 'vitest'
import { boot, PASSWORD } from '../../../test/boot.ts'
import { mailbox } from '../../../test/mailbox.ts'

const testApp = await boot()
const { account, newClient, signedIn, sql } = testApp

const minutesPass = (minutes: number, email: string) =>
  sql.query(
    `update challenges set code_expires_at = code_expires_at - make_interval(mins => $1),
       expires_at = expires_at - make_interval(mins => $1), sent_at = sent_at - make_interval(mins => $1)
     where user_id = (select id from users where email = $2)`,
    [minutes, email],
  )

describe('signing in', () => {
  it('mails a six-digit code after the password, and opens the session after the code', async () => {
    const { email, password } = await account()
    const person = newClient()

    expect(await person.call(login, { body: { email, password } })).toMatchObject({ status: 204 })
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 401 })

    const code = await mailbox.codeFor(email)
    const verified = await person.call(verifyLogin, { body: { email, code } })
    expect(verified).toMatchObject({ status: 200, body: { user: { role: 'USER' } } })

    const checked = await person.call(checkAuth, {})
    expect(checked.status).toBe(200)
    expect(checked.body).toEqual({
      user: { role: 'USER', email, firstName: 'James', lastName: 'Whitfield', phone: '6195550134' },
    })
  })

  it('takes the email in any case', async () => {
    const { email, password } = await account()
    const answer = await newClient().call(login, {
      body: { email: ` ${email.toUpperCase()} `, password },
    })
    expect(answer.status).toBe(204)
  })

  it('gives unknown emails and wrong passwords the same answer, byte for byte', async () => {
    const { email } = await account()
    const wrong = await newClient().call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
    const unknown = await newClient().call(login, {
      body: { email: `no-${email}`, password: PASSWORD },
    })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong_credentials' } })
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.headers.getSetCookie()).toEqual([])
  })

  it('tells a deactivated user with the right password to call, and nobody else', async () => {
    const { email, password } = await account()
    await sql.query('update users set is_active = false where email = $1', [email])
    const right = await newClient().call(login, { body: { email, password } })
    expect(right).toMatchObject({ status: 400, body: { code: 'account_deactivated' } })
    expect(right.body.message).toContain('1-800-555-0142')
    const wrong = await newClient().call(login, { body: { email, password: 'Wrong-Lantern-42!' } })
    expect(wrong.body.code).toBe('wrong_credentials')
  })

  it('answers 422 with the sentence of each field that is not right', async () => {
    const answer = await newClient().call(login, { body: { email: 'james', password: '12345' } })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        fields: {
          email: 'Enter a valid email address',
          password: 'Password must be at least 6 characters long',
        },
      },
    })
  })

  it('stores neither code nor token as it is', async () => {
    const { email, password } = await account()
    const person = newClient()
    await person.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const { rows } = await sql.query('select challenges::text as row from challenges')
    const stored = rows.map(({ row }) => row).join()
    expect(stored).not.toContain(code)
    for (const token of person.cookies.values()) expect(stored).not.toContain(token)
  })
})

describe('the code', () => {
  const started = async () => {
    const { email, password } = await account()
    const person = newClient()
    await person.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const wrong = code === '000000' ? '111111' : '000000'
    return { email, person, code, wrong }
  }

  it('opens exactly one session when it is entered many times at once', async () => {
    const { email, person, code } = await started()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => person.call(verifyLogin, { body: { email, code } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { rows } = await sql.query(
      'select count(*)::int as n from sessions join users on users.id = user_id where email = $1',
      [email],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it(`is void after ${CODE_TRIES} wrong tries, also for the right one`, async () => {
    const { email, person, code, wrong } = await started()
    for (let attempt = 0; attempt < CODE_TRIES; attempt += 1) {
      const answer = await person.call(verifyLogin, { body: { email, code: wrong } })
      expect(answer).toMatchObject({ status: 400, body: { code: 'wrong_code' } })
    }
    expect(await person.call(verifyLogin, { body: { email, code } })).toMatchObject({ status: 400 })
  })

  it('is void after 10 minutes', async () => {
    const { email, person, code } = await started()
    await minutesPass(10, email)
    expect(await person.call(verifyLogin, { body: { email, code } })).toMatchObject({ status: 400 })
  })

  it('works only with the challenge cookie of its own sign-in', async () => {
    const { email, code } = await started()
    const other = await started()
    expect(await newClient().call(verifyLogin, { body: { email, code } })).toMatchObject({
      status: 400,
      body: { code: 'no_challenge' },
    })
    expect(await other.person.call(verifyLogin, { body: { email, code } })).toMatchObject({
      status: 400,
    })
  })

  it('is replaced by a resend, which waits for 60 seconds', async () => {
    const { email, person, code } = await started()
    const [first] = await mailbox.mailsTo(email)
    const again = () =>
      person.call(resendVerificationCode, { body: { email, verificationType: 'login' } })

    const early = await again()
    expect(early).toMatchObject({ status: 429, body: { code: 'resend_too_soon' } })
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(50)

    await minutesPass(1, email)
    expect(await again()).toMatchObject({ status: 202 })
    const second = await mailbox.codeFor(email, { after: first?.id ?? '' })
    // The old code stays void; one time in a million the new one has the same digits.
    const old = await person.call(verifyLogin, { body: { email, code } })
    expect(old.status).toBe(second === code ? 200 : 400)
    expect(await person.call(verifyLogin, { body: { email, code: second } })).toMatchObject({
      status: 200,
    })
  })

  it('is not resent without the challenge cookie', async () => {
    const { email } = await started()
    const answer = await newClient().call(resendVerificationCode, {
      body: { email, verificationType: 'login' },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
  })
})

describe('the session', () => {
  const ages = (interval: string, email: string) =>
    sql.query(
      `update sessions set last_seen_at = last_seen_at - $1::interval
       where user_id = (select id from users where email = $2)`,
      [interval, email],
    )
  const accessExpires = (email: string) =>
    sql.query(
      `update session_tokens set access_expires_at = now() where session_id in
         (select sessions.id from sessions join users on users.id = user_id where email = $1)`,
      [email],
    )

  it('ends with logout, on the very next request and for every copy of its cookies', async () => {
    const person = await signedIn(await account())
    const thief = newClient()
    for (const [name, value] of person.cookies) thief.cookies.set(name, value)

    expect(await person.call(logout, {})).toMatchObject({ status: 204 })
    expect([...person.cookies.keys()]).toEqual(['guidon-device'])
    expect(await thief.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await thief.call(refresh, {})).toMatchObject({ status: 401 })
  })

  it('goes on after the access token has expired, by one refresh', async () => {
    const one = await account()
    const person = await signedIn(one)
    await accessExpires(one.email)
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await person.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 200 })
  })

  it('survives a refresh whose answer was lost', async () => {
    const person = await signedIn(await account())
    const before = new Map(person.cookies)
    await person.call(refresh, {})
    person.cookies.clear()
    for (const [name, value] of before) person.cookies.set(name, value)
    expect(await person.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await person.call(refresh, {})).toMatchObject({ status: 204 })
  })

  it('survives 20 refreshes at once, whichever answer the browser keeps', async () => {
    const person = await signedIn(await account())
    const answers = await Promise.all(Array.from({ length: 20 }, () => person.call(refresh, {})))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204))
    expect(await person.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 200 })
  })

  it('gives new tokens for one refresh token only so often, and says when it does again', async () => {
    const one = await account()
    const person = await signedIn(one)
    const parent = new Map(person.cookies)
    const again = () => {
      for (const [name, value] of parent) person.cookies.set(name, value)
      return person.call(refresh, {})
    }
    for (let n = 0; n < REFRESHES_OF_ONE_TOKEN; n += 1) expect((await again()).status).toBe(204)
    const refused = await again()
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300)
    await accessExpires(one.email)
    expect((await again()).status).toBe(204)
    expect((await person.call(refresh, {})).status).toBe(204)
  })

  it('is revoked when a refresh token older than the parent comes back', async () => {
    const person = await signedIn(await account())
    const thief = newClient()
    for (const [name, value] of person.cookies) thief.cookies.set(name, value)
    await person.call(refresh, {})
    await person.call(refresh, {})
    expect(await thief.call(refresh, {})).toMatchObject({ status: 401 })
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 401 })
  })

  it('ends after 30 idle minutes, for staff after 15', async () => {
    const veteran = await account('USER')
    const staff = await account('STAFF')
    const [one, other] = [await signedIn(veteran), await signedIn(staff)]
    await Promise.all([ages('16 minutes', veteran.email), ages('16 minutes', staff.email)])
    expect(await other.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await one.call(checkAuth, {})).toMatchObject({ status: 200 })
    // That request counted as a sign of life.
    await ages('29 minutes', veteran.email)
    expect(await one.call(checkAuth, {})).toMatchObject({ status: 200 })
    await ages('31 minutes', veteran.email)
    expect(await one.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await one.call(refresh, {})).toMatchObject({ status: 401 })
  })

  it('ends after 12 hours, however busy', async () => {
    const one = await account()
    const person = await signedIn(one)
    await sql.query(
      `update sessions set expires_at = expires_at - interval '12 hours'
       where user_id = (select id from users where email = $1)`,
      [one.email],
    )
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 401 })
  })

  it('ends at once when the account is deactivated', async () => {
    const one = await account()
    const person = await signedIn(one)
    await sql.query('update users set is_active = false where email = $1', [one.email])
    expect(await person.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await person.call(refresh, {})).toMatchObject({ status: 401 })
  })

  it('is not opened by a forged token', async () => {
    const forger = newClient()
    forger.cookies.set('guidon-access', 'A'.repeat(43))
    forger.cookies.set('guidon-refresh', 'A'.repeat(43))
    expect(await forger.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(await forger.call(refresh, {})).toMatchObject({ status: 401 })
  })
})

describe('the logs', () => {
  it('hold no email, code or token of anyone', async () => {
    const one = await account()
    const person = await signedIn(one)
    const secrets = [one.email, one.password, 'Whitfield', ...person.cookies.values()]
    expect(testApp.logged()).toContain('"route":"/auth/verify-login"')
    for (const secret of secrets) expect(testApp.logged()).not.toContain(secret)
  })
})
