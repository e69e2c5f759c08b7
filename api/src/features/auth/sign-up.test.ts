import { randomUUID } from 'node:crypto'
import { checkAuth, login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { passwordGuessable, passwordHasName } from '@guidon/contract/password-strength'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { describe, expect, it } from 'vitest'

const { account, newClient, sql } = await boot()

const newSignUp = () => ({
  email: `${randomUUID()}@example.com`,
  password: 'Copper7!lantern-harbor',
  firstName: 'Maria',
  lastName: 'Alvarez',
  phone: '6195550104',
  state: 'California' as const,
})

const eventsOf = async (email: string) => {
  const { rows } = await sql.query(
    'select event from audit_events join users on users.id = subject_id where email = $1 order by at',
    [email],
  )
  return rows.map(({ event }) => event)
}

describe('signing up', () => {
  it('sends a code, which creates the account and opens a session', async () => {
    const maria = newSignUp()
    const client = newClient()
    expect(await client.call(register, { body: maria })).toMatchObject({ status: 202 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })

    const [mail] = await mailbox.mailsTo(maria.email)
    expect(mail?.subject).toBe('Your Guidon verification code')
    expect(mail?.text).not.toContain('Maria')
    const code = await mailbox.codeFor(maria.email)
    const verified = await client.call(verifyEmail, { body: { email: maria.email, code } })
    expect(verified.body).toEqual({ salesforceInfo: { linkedToExistingAccount: false } })
    expect((await client.call(checkAuth, {})).body).toMatchObject({
      user: { role: 'USER', firstName: 'Maria' },
    })
    expect(await eventsOf(maria.email)).toEqual(['signed_up', 'email_verified'])
  })

  it('responds with a message for each invalid field', async () => {
    const body = {
      email: 'maria',
      password: 'short',
      firstName: ' ',
      lastName: '',
      phone: '619',
      state: 'Guam',
    }
    const response = await newClient().send('POST', register.path, body)
    expect(response).toMatchObject({
      status: 422,
      body: {
        fields: {
          firstName: 'First name is required',
          lastName: 'Last name is required',
          state: 'Please select a state',
          phone: 'Enter a valid 10-digit phone number',
          email: 'Enter a valid email address',
          password: 'Password does not meet requirements',
        },
      },
    })
  })

  it.each([
    ['Summer2026!', passwordGuessable],
    ['Alvarez-Lantern-42!', passwordHasName],
  ])('refuses the password %s, whether or not the email is taken', async (password, refusal) => {
    const owner = await account()
    for (const { email } of [newSignUp(), owner]) {
      const body = { ...newSignUp(), email, password }
      const response = await newClient().call(register, { body })
      expect(response.status).toBe(refusal.status)
      expect(response.body).toEqual({
        code: refusal.code,
        message: refusal.message,
        fields: { password: 'Password does not meet requirements' },
      })
    }
  })

  it('gives a taken email the same response, emails its owner, and changes nothing', async () => {
    const owner = await account()
    const other = newClient()
    const fresh = await newClient().call(register, { body: newSignUp() })
    const taken = await other.call(register, { body: { ...newSignUp(), email: owner.email } })
    expect(taken.status).toBe(fresh.status)
    expect(taken.body).toEqual(fresh.body)

    const [mail] = await mailbox.mailsTo(owner.email)
    expect(mail?.subject).toBe('You already have a Guidon account')
    // No code; the only such number is that of the crisis line.
    expect(mail?.text.match(/\b\d{6}\b/g)).toEqual(['838255'])
    const response = await other.call(verifyEmail, {
      body: { email: owner.email, code: '123456' },
    })
    expect(response).toMatchObject({ status: 400, body: { code: 'wrong_code' } })
    expect(await newClient().call(login, { body: owner })).toMatchObject({ status: 204 })
    expect(await eventsOf(owner.email)).toContain('sign_up_with_taken_email')
  })

  it('does not resend a code of an invalid or a different verification type', async () => {
    const maria = newSignUp()
    const client = newClient()
    await client.call(register, { body: maria })
    const invalid = await client.send('POST', resendVerificationCode.path, {
      email: maria.email,
      verificationType: 'phone',
    })
    expect(invalid).toMatchObject({
      status: 422,
      body: { fields: { verificationType: 'Invalid verification type' } },
    })
    expect(
      await client.call(resendVerificationCode, {
        body: { email: maria.email, verificationType: 'login' },
      }),
    ).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
  })
})

describe('a new device', () => {
  it('is reported by email after a sign-in, but not after the sign-up itself', async () => {
    const maria = newSignUp()
    const phone = newClient()
    await phone.call(register, { body: maria })
    const [first] = await mailbox.mailsTo(maria.email)
    await phone.call(verifyEmail, {
      body: { email: maria.email, code: await mailbox.codeFor(maria.email) },
    })

    const signInOn = async (device: typeof phone, after: typeof first) => {
      await device.call(login, { body: { email: maria.email, password: maria.password } })
      const code = await mailbox.codeFor(maria.email, { after: after?.id ?? '' })
      await device.call(verifyLogin, { body: { email: maria.email, code } })
      return mailbox.mailsTo(maria.email)
    }
    const afterPhone = await signInOn(phone, first)
    expect(afterPhone).toHaveLength(2)

    await signInOn(newClient(), afterPhone[0])
    await expect
      .poll(async () => (await mailbox.mailsTo(maria.email)).map(({ subject }) => subject))
      .toContain('New sign-in to your Guidon account')
  })
})
