import { randomBytes, randomUUID } from 'node:crypto'
import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { deactivateUser, resetUserPassword } from '@guidon/contract/manage-users'
import { changePassword, forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { describe, expect, it } from 'vitest'
import { boot, NEWCOMER, PASSWORD } from '../../../test/boot.ts'
import { databaseAt } from '../../../test/databases.ts'
import { mailbox } from '../../../test/mailbox.ts'
import type { TestClient } from '../../../test/test-client.ts'
import { insertSignInChallenge } from './challenges.sql.ts'

const { account, admin, config, signedIn, newClient, sql } = await boot()

const OTHER = 'Meadow5!anchor-river'
const newEmail = () => `${randomUUID()}@example.com`
const twice = (newPassword: string) => ({ newPassword, confirmPassword: newPassword })
const wrongOf = (code: string) => (code === '000000' ? '111111' : '000000')

async function nextCode(email: string, cause: () => Promise<unknown>): Promise<string> {
  const [last] = await mailbox.mailsTo(email, { waitMs: 0 })
  await cause()
  return mailbox.codeFor(email, { after: last?.id ?? '' })
}

const signsUp = async (email: string, typed: Partial<typeof NEWCOMER> = {}) => {
  const person = newClient()
  const code = await nextCode(email, () =>
    person.call(register, { body: { ...NEWCOMER, ...typed, email } }),
  )
  return { person, code }
}
const verifies = (person: TestClient, email: string, code: string) =>
  person.call(verifyEmail, { body: { email, code } })

const usersOf = async (email: string) =>
  (await sql.query('select id, last_name from users where email = $1', [email])).rows

const STATES: Record<string, () => Promise<string>> = {
  unknown: async () => newEmail(),
  unverified: async () => {
    const email = newEmail()
    await newClient().call(register, { body: { ...NEWCOMER, email } })
    return email
  },
  active: async () => (await account()).email,
  deactivated: async () => {
    const { email } = await account()
    await sql.query('update users set is_active = false where email = $1', [email])
    return email
  },
  staff: async () => (await account('STAFF')).email,
}

describe('what anyone can do with the email of another', () => {
  const answersOf = async (email: string) => {
    const person = newClient()
    const answers = [
      await person.call(register, { body: { ...NEWCOMER, password: OTHER, email } }),
      await person.call(resendVerificationCode, { body: { email, verificationType: 'email' } }),
      await verifies(person, email, '000000'),
      await newClient().call(login, { body: { email, password: OTHER } }),
      await newClient().call(forgotPassword, { body: { email } }),
    ]
    return answers.map(({ status, body, headers }) => ({
      status,
      body,
      cookies: headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, '')),
    }))
  }

  it.each(Object.keys(STATES))('tells nothing of it when it is %s', async (state) => {
    const answers = await answersOf(await STATES[state]!())
    expect(answers.map(({ status }) => status)).toEqual([202, 429, 400, 400, 202])
    expect(answers[3]!.body).toMatchObject({ code: 'wrong_credentials' })
    expect(answers).toEqual(await answersOf(newEmail()))
  })
})

describe('an unverified sign-up', () => {
  it('is no account: it cannot be signed in to, and its sign-in says how to go on', async () => {
    const email = newEmail()
    await signsUp(email)
    expect(await usersOf(email)).toEqual([])
    const answer = await newClient().call(login, { body: { email, password: PASSWORD } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'wrong_credentials' } })
    expect(answer.body.message).toMatch(
      /If you never entered the code we emailed you, please sign up again\.$/,
    )
  })

  it('stays good when a stranger signs up with the same email', async () => {
    const email = newEmail()
    const owner = await signsUp(email, { lastName: 'Honest' })
    const stranger = await signsUp(email, { lastName: 'Stranger', password: OTHER })
    const mixed = await verifies(stranger.person, email, owner.code)
    // One time in a million the two codes have the same digits.
    expect(mixed.status).toBe(owner.code === stranger.code ? 200 : 400)
    expect((await verifies(owner.person, email, owner.code)).status).toBe(200)
    expect(await usersOf(email)).toMatchObject([{ last_name: 'Honest' }])
    expect((await newClient().call(login, { body: { email, password: OTHER } })).status).toBe(400)
    expect((await newClient().call(login, { body: { email, password: PASSWORD } })).status).toBe(
      204,
    )
  })

  it('ends where another one of its email was verified first, without telling so', async () => {
    const email = newEmail()
    const [first, second] = [await signsUp(email), await signsUp(email, { lastName: 'Late' })]
    expect((await verifies(first.person, email, first.code)).status).toBe(200)
    expect(await verifies(second.person, email, second.code)).toMatchObject({
      status: 400,
      body: { code: 'wrong_code' },
    })
    expect(await usersOf(email)).toMatchObject([{ last_name: NEWCOMER.lastName }])
  })

  it('whose email got an account is mailed what the owner of a taken email is', async () => {
    const email = newEmail()
    const [first, second] = [await signsUp(email), await signsUp(email)]
    await verifies(first.person, email, first.code)
    await sql.query(`update challenges set sent_at = sent_at - interval '1 minute'`)
    const resent = await second.person.call(resendVerificationCode, {
      body: { email, verificationType: 'email' },
    })
    expect(resent.status).toBe(202)
    const subject = 'You already have a Guidon account'
    expect(await mailbox.mailsTo(email, { subject })).toHaveLength(1)
  })

  it('becomes one account, however many are verified at once', async () => {
    const email = newEmail()
    const tabs = [await signsUp(email), await signsUp(email), await signsUp(email)]
    const answers = await Promise.all(tabs.map(({ person, code }) => verifies(person, email, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2)
    expect(await usersOf(email)).toHaveLength(1)
  })
})

describe('a sign-up of the previous release, which kept it among the accounts', () => {
  const legacy = async () => {
    const email = newEmail()
    const { person, code } = await signsUp(email, { lastName: 'Legacy' })
    await sql.query(
      `with moved as (
         insert into users (email, password_hash, first_name, last_name, phone, state, role,
           terms_version, terms_accepted_at)
         select email, password_hash, first_name, last_name, phone, state, 'USER', terms_version,
           terms_accepted_at from sign_ups where email = $1 returning id, email)
       update challenges set user_id = moved.id, sign_up_id = null
       from moved join sign_ups using (email) where challenges.sign_up_id = sign_ups.id`,
      [email],
    )
    await sql.query('delete from sign_ups where email = $1', [email])
    return { email, person, code }
  }

  it('is still verified by its code', async () => {
    const { email, person, code } = await legacy()
    expect((await verifies(person, email, wrongOf(code))).status).toBe(400)
    expect((await verifies(person, email, code)).status).toBe(200)
    expect((await newClient().call(login, { body: { email, password: PASSWORD } })).status).toBe(
      204,
    )
  })

  it('is no account either: neither sign-in nor forgotten password knows it', async () => {
    const { email } = await legacy()
    const answer = await newClient().call(login, { body: { email, password: PASSWORD } })
    expect(answer.body.code).toBe('wrong_credentials')
    await newClient().call(forgotPassword, { body: { email } })
    const other = await account()
    await newClient().call(forgotPassword, { body: { email: other.email } })
    const subject = 'Reset your Guidon password'
    // A later mail to someone known has gone through the same queue.
    expect(await mailbox.mailsTo(other.email, { subject })).toHaveLength(1)
    expect(await mailbox.mailsTo(email, { subject, waitMs: 0 })).toEqual([])
  })

  it('is replaced by a later sign-up once that is verified, and its own code opens nothing then', async () => {
    const old = await legacy()
    const { person, code } = await signsUp(old.email, { lastName: 'Later', password: OTHER })
    expect((await verifies(person, old.email, code)).status).toBe(200)
    expect(await usersOf(old.email)).toMatchObject([{ last_name: 'Later' }])
    expect((await verifies(old.person, old.email, old.code)).status).toBe(400)
    const body = { email: old.email, password: PASSWORD }
    expect((await newClient().call(login, { body })).status).toBe(400)
  })
})

describe('a sign-in that waits for its code', () => {
  const started = async () => {
    const one = await account()
    const owner = await signedIn(one)
    const thief = newClient()
    const code = await nextCode(one.email, () => thief.call(login, { body: one }))
    const { id } = (await usersOf(one.email))[0]
    return { ...one, id: id as string, owner, thief, code }
  }
  type Started = Awaited<ReturnType<typeof started>>

  const CHANGES: Record<string, (one: Started) => Promise<unknown>> = {
    'the password was changed': ({ owner, password }) =>
      owner.call(changePassword, { body: { currentPassword: password, ...twice(OTHER) } }),
    'the password was reset by mail': async ({ email }) => {
      await newClient().call(forgotPassword, { body: { email } })
      const [mail] = await mailbox.mailsTo(email, { subject: 'Reset your Guidon password' })
      const token = mail?.text.match(/\?token=([\w-]+)/)?.[1] ?? ''
      return newClient().call(resetPassword, { body: { token, ...twice(OTHER) } })
    },
    'staff set a password': async ({ id }) =>
      (await signedIn(await account('STAFF'))).call(resetUserPassword, {
        params: { id },
        body: twice(OTHER),
      }),
    'the account was deactivated': async ({ id }) =>
      (await signedIn(await account('STAFF'))).call(deactivateUser, { params: { id } }),
    'its role was changed': ({ email }) => admin.accounts.setRole(email, 'STAFF'),
  }

  it('is not even begun where the password was changed while it was compared', async () => {
    const { email } = await account()
    const { id } = (await usersOf(email))[0]
    const tokenHash = randomBytes(32)
    const stale = { id: id as string, passwordHash: 'the hash that was compared' }
    const begun = await databaseAt(config.DATABASE_URL, 1)
      .transaction()
      .execute((tx) => insertSignInChallenge(tx, { tokenHash, account: stale }))
    expect(begun).toBeUndefined()
  })

  it.each(Object.keys(CHANGES))('does not complete once %s', async (name) => {
    const one = await started()
    await CHANGES[name]!(one)
    const answer = await one.thief.call(verifyLogin, {
      body: { email: one.email, code: one.code },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
  })
})
