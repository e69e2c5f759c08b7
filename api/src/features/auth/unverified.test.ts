import { randomBytes, randomUUID } from 'node:crypto'
import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { deactivateUser, resetUserPassword } from '@guidon/contract/manage-users'
import { changePassword, forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { mailbox } from '@guidon/tests/mailbox'
import { PASSWORD } from '@guidon/tests/outside/account'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'
import { newDatedId } from '../../db/days.ts'
import { insertSignInChallenge } from './challenges.sql.ts'

const { account, admin, config, signedIn, newClient, sql } = await boot()

const OTHER = 'Meadow5!anchor-river'
const newEmail = () => `${randomUUID()}@example.com`
const withConfirmation = (newPassword: string) => ({ newPassword, confirmPassword: newPassword })

async function nextCode(email: string, cause: () => Promise<unknown>): Promise<string> {
  const [last] = await mailbox.mailsTo(email, { waitMs: 0 })
  await cause()
  return mailbox.codeFor(email, { after: last?.id ?? '' })
}

const signUp = async (email: string, entered: Partial<typeof NEWCOMER> = {}) => {
  const client = newClient()
  const code = await nextCode(email, () =>
    client.call(register, { body: { ...NEWCOMER, ...entered, email } }),
  )
  return { client, code }
}
const verify = (client: TestClient, email: string, code: string) =>
  client.call(verifyEmail, { body: { email, code } })

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

describe('requests with the email of someone else', () => {
  const responsesOf = async (email: string) => {
    const client = newClient()
    const responses = [
      await client.call(register, { body: { ...NEWCOMER, password: OTHER, email } }),
      await client.call(resendVerificationCode, { body: { email, verificationType: 'email' } }),
      await verify(client, email, '000000'),
      await newClient().call(login, { body: { email, password: OTHER } }),
      await newClient().call(forgotPassword, { body: { email } }),
    ]
    return responses.map(({ status, body, headers }) => ({
      status,
      body,
      cookies: headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, '')),
    }))
  }

  it.each(Object.keys(STATES))('reveal nothing about an email that is %s', async (state) => {
    const responses = await responsesOf(await STATES[state]!())
    // 429: the resend comes directly after the sign-up.
    expect(responses.map(({ status }) => status)).toEqual([202, 429, 400, 400, 202])
    expect(responses[3]!.body).toMatchObject({ code: 'wrong_credentials' })
    expect(responses).toEqual(await responsesOf(newEmail()))
  })
})

describe('an unverified sign-up', () => {
  it('is not an account: a sign-in is refused, and its message says to sign up again', async () => {
    const email = newEmail()
    await signUp(email)
    expect(await usersOf(email)).toEqual([])
    const response = await newClient().call(login, { body: { email, password: PASSWORD } })
    expect(response).toMatchObject({ status: 400, body: { code: 'wrong_credentials' } })
    expect(response.body.message).toMatch(
      /If you never entered the code we emailed you, please sign up again\.$/,
    )
  })

  it('stays valid when someone else signs up with the same email', async () => {
    const email = newEmail()
    const owner = await signUp(email, { lastName: 'Honest' })
    const other = await signUp(email, { lastName: 'Other', password: OTHER })
    const mixed = await verify(other.client, email, owner.code)
    // One time in a million the two codes have the same digits.
    expect(mixed.status).toBe(owner.code === other.code ? 200 : 400)
    expect((await verify(owner.client, email, owner.code)).status).toBe(200)
    expect(await usersOf(email)).toMatchObject([{ last_name: 'Honest' }])
    expect((await newClient().call(login, { body: { email, password: OTHER } })).status).toBe(400)
    expect((await newClient().call(login, { body: { email, password: PASSWORD } })).status).toBe(
      204,
    )
  })

  it('ends if another sign-up with its email was verified first, without revealing that', async () => {
    const email = newEmail()
    const [first, second] = [await signUp(email), await signUp(email, { lastName: 'Late' })]
    expect((await verify(first.client, email, first.code)).status).toBe(200)
    expect(await verify(second.client, email, second.code)).toMatchObject({
      status: 400,
      body: { code: 'wrong_code' },
    })
    expect(await usersOf(email)).toMatchObject([{ last_name: NEWCOMER.lastName }])
  })

  it('gets an email that the account exists on a resend, if the address got one meanwhile', async () => {
    const email = newEmail()
    const [first, second] = [await signUp(email), await signUp(email)]
    await verify(first.client, email, first.code)
    await sql.query(`update challenges set sent_at = sent_at - interval '1 minute'`)
    const resent = await second.client.call(resendVerificationCode, {
      body: { email, verificationType: 'email' },
    })
    expect(resent.status).toBe(202)
    const subject = 'You already have a Guidon account'
    expect(await mailbox.mailsTo(email, { subject })).toHaveLength(1)
  })

  it('becomes one account, even if several are verified at once', async () => {
    const email = newEmail()
    const tabs = [await signUp(email), await signUp(email), await signUp(email)]
    const responses = await Promise.all(tabs.map(({ client, code }) => verify(client, email, code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(2)
    expect(await usersOf(email)).toHaveLength(1)
  })
})

describe('a sign-in that waits for its code', () => {
  const started = async () => {
    const user = await account()
    const owner = await signedIn(user)
    const thief = newClient()
    const code = await nextCode(user.email, () => thief.call(login, { body: user }))
    const { id } = (await usersOf(user.email))[0]
    return { ...user, id: id as string, owner, thief, code }
  }
  type Started = Awaited<ReturnType<typeof started>>

  const CHANGES: Record<string, (user: Started) => Promise<unknown>> = {
    'the password was changed': ({ owner, password }) =>
      owner.call(changePassword, {
        body: { currentPassword: password, ...withConfirmation(OTHER) },
      }),
    'the password was reset by a link': async ({ email }) => {
      await newClient().call(forgotPassword, { body: { email } })
      const [mail] = await mailbox.mailsTo(email, { subject: 'Reset your Guidon password' })
      const token = mail?.text.match(/\?token=([\w-]+)/)?.[1] ?? ''
      return newClient().call(resetPassword, { body: { token, ...withConfirmation(OTHER) } })
    },
    'staff set a password': async ({ id }) =>
      (await signedIn(await account('STAFF'))).call(resetUserPassword, {
        params: { id },
        body: withConfirmation(OTHER),
      }),
    'the account was deactivated': async ({ id }) =>
      (await signedIn(await account('STAFF'))).call(deactivateUser, { params: { id } }),
    'its role was changed': ({ email }) => admin.accounts.setRole(email, 'STAFF'),
  }

  it('does not start if the password was changed while the entered one was compared', async () => {
    const { email } = await account()
    const { id } = (await usersOf(email))[0]
    const tokenHash = randomBytes(32)
    const stale = { id: id as string, passwordHash: 'the hash that was compared' }
    const isStarted = await databaseAt(config.DATABASE_URL, 1)
      .transaction()
      .execute((tx) =>
        insertSignInChallenge(tx, { id: newDatedId().id, tokenHash, account: stale }),
      )
    expect(isStarted).toBe(false)
  })

  it.each(Object.keys(CHANGES))('cannot be completed after %s', async (name) => {
    const user = await started()
    await CHANGES[name]!(user)
    const response = await user.thief.call(verifyLogin, {
      body: { email: user.email, code: user.code },
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
  })
})
