import { checkAuth, login, tooManyTries } from '@guidon/contract/auth'
import { PASSWORD_CHANGES_A_DAY } from '@guidon/contract/limits'
import { changePassword, forgotPassword, resetPassword } from '@guidon/contract/password'
import { passwordGuessable, passwordHasName } from '@guidon/contract/password-strength'
import { boot } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import { describe, expect, it } from 'vitest'
import { tokens } from '../../platform/tokens.ts'

const { account, signedIn, newClient, sql, config } = await boot()

const NEW_PASSWORD = 'Meadow5!anchor-river'
const withConfirmation = (newPassword: string) => ({ newPassword, confirmPassword: newPassword })

async function tokenFor(email: string): Promise<string> {
  await newClient().call(forgotPassword, { body: { email } })
  const query = { subject: 'Reset your Guidon password' }
  const [mail] = await mailbox.mailsTo(email, query)
  return mail?.text.match(/reset-password\?token=([\w-]+)/)?.[1] ?? ''
}

describe('a forgotten password', () => {
  it('is reset by a link that works once', async () => {
    const user = await account()
    const token = await tokenFor(user.email)
    expect(
      await newClient().call(resetPassword, { body: { token, ...withConfirmation(NEW_PASSWORD) } }),
    ).toMatchObject({
      status: 204,
    })
    expect(await newClient().call(login, { body: user })).toMatchObject({ status: 400 })
    expect(
      await newClient().call(login, { body: { email: user.email, password: NEW_PASSWORD } }),
    ).toMatchObject({ status: 204 })
    expect(
      await newClient().call(resetPassword, {
        body: { token, ...withConfirmation('Other8!harbor-stone') },
      }),
    ).toMatchObject({
      status: 400,
      body: { code: 'reset_link_void' },
    })
  })

  it('ends all sessions when it is reset, and notifies the owner', async () => {
    const user = await account()
    const client = await signedIn(user)
    const token = await tokenFor(user.email)
    await newClient().call(resetPassword, { body: { token, ...withConfirmation(NEW_PASSWORD) } })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 401 })
    const [notice] = await mailbox.mailsTo(user.email, {
      subject: 'Your Guidon password was changed',
    })
    expect(notice?.text).toContain('1-800-555-0142')
  })

  it('cannot be reset by a link older than 30 minutes, nor for a deactivated account', async () => {
    const expiredAccount = await account()
    const expiredToken = await tokenFor(expiredAccount.email)
    await sql.query("update reset_tokens set expires_at = expires_at - interval '30 minutes'")
    expect(
      await newClient().call(resetPassword, {
        body: { token: expiredToken, ...withConfirmation(NEW_PASSWORD) },
      }),
    ).toMatchObject({
      status: 400,
    })
    const deactivatedAccount = await account()
    const deactivatedToken = await tokenFor(deactivatedAccount.email)
    await sql.query('update users set is_active = false where email = $1', [
      deactivatedAccount.email,
    ])
    expect(
      await newClient().call(resetPassword, {
        body: { token: deactivatedToken, ...withConfirmation(NEW_PASSWORD) },
      }),
    ).toMatchObject({
      status: 400,
    })
  })

  it('gives unknown emails the same response as known ones, and sends no email', async () => {
    const known = await newClient().call(forgotPassword, {
      body: { email: (await account()).email },
    })
    const email = 'nobody-at-all@example.com'
    const unknown = await newClient().call(forgotPassword, { body: { email } })
    expect(unknown.status).toBe(known.status)
    expect(unknown.body).toEqual(known.body)
    // A later email to a known account has passed through the same queue.
    await tokenFor((await account()).email)
    expect(await mailbox.mailsTo(email, { waitMs: 0 })).toEqual([])
  })

  it('is reset by a token that is not stored in plain text', async () => {
    const token = await tokenFor((await account()).email)
    const { rows } = await sql.query('select reset_tokens::text as row from reset_tokens')
    expect(rows.map(({ row }) => row).join()).not.toContain(token)
  })

  it('is not reset to a password that breaks a rule of the server, and the response names the rule', async () => {
    const token = await tokenFor((await account()).email)
    for (const [password, { code, message }] of [
      ['Whitfield-Lantern-42!', passwordHasName],
      ['Password1!', passwordGuessable],
    ] as const) {
      const response = await newClient().call(resetPassword, {
        body: { token, ...withConfirmation(password) },
      })
      expect(response.status).toBe(422)
      expect(response.body).toEqual({
        code,
        message,
        fields: { newPassword: 'Please fix the password requirements below.' },
      })
    }
    // The link can still be used.
    const body = { token, ...withConfirmation(NEW_PASSWORD) }
    expect(await newClient().call(resetPassword, { body })).toMatchObject({ status: 204 })
  })

  it.each([
    [{ token: '', ...withConfirmation(NEW_PASSWORD) }, { token: 'Invalid or missing token.' }],
    [
      { token: 'x', ...withConfirmation('weak') },
      { newPassword: 'Please fix the password requirements below.' },
    ],
    [
      { token: 'x', newPassword: NEW_PASSWORD, confirmPassword: 'Meadow5!anchor' },
      { confirmPassword: 'Passwords do not match' },
    ],
  ])('is not reset with invalid input: %j', async (body, fields) => {
    expect(await newClient().call(resetPassword, { body })).toMatchObject({
      status: 422,
      body: { fields },
    })
  })

  it('requires an @ in the email', async () => {
    expect(await newClient().call(forgotPassword, { body: { email: 'james' } })).toMatchObject({
      status: 422,
      body: { fields: { email: 'Please enter a valid email address.' } },
    })
  })
})

describe('changing the password', () => {
  it('requires the current password, keeps this session and ends the others', async () => {
    const user = await account()
    const [here, elsewhere] = [await signedIn(user), await signedInAgain(user)]
    const wrong = await here.call(changePassword, {
      body: { currentPassword: 'Wrong-1!', ...withConfirmation(NEW_PASSWORD) },
    })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong_current_password' } })

    const right = await here.call(changePassword, {
      body: { currentPassword: user.password, ...withConfirmation(NEW_PASSWORD) },
    })
    expect(right.status).toBe(204)
    expect(await here.call(checkAuth, {})).toMatchObject({ status: 200 })
    expect(await elsewhere.call(checkAuth, {})).toMatchObject({ status: 401 })
    expect(
      await newClient().call(login, { body: { email: user.email, password: NEW_PASSWORD } }),
    ).toMatchObject({ status: 204 })
  })

  it('is possible ten times a day', async () => {
    const user = await account()
    const client = await signedIn(user)
    const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
      user.email,
    ])
    const key = tokens(config.TOKEN_KEY).hash('limit', `password changes\0${rows[0]!.id}`)
    await sql.query(
      `insert into limits (key, count, resets_at) values ($1, $2, now() + interval '1 hour')`,
      [key, PASSWORD_CHANGES_A_DAY - 1],
    )
    const change = (currentPassword: string, newPassword: string) =>
      client.call(changePassword, { body: { currentPassword, ...withConfirmation(newPassword) } })
    expect((await change(user.password, NEW_PASSWORD)).status).toBe(204)
    const refused = await change(NEW_PASSWORD, user.password)
    const { status, ...body } = tooManyTries(3_600)
    expect(refused).toMatchObject({ status, body })
  })

  it('refuses a new password that contains the name, and changes nothing', async () => {
    const user = await account()
    const client = await signedIn(user)
    const body = { currentPassword: user.password, ...withConfirmation('Whitfield-Lantern-42!') }
    expect(await client.call(changePassword, { body })).toMatchObject({
      status: 422,
      body: { fields: { newPassword: 'Please fix the password requirements below.' } },
    })
    expect(await newClient().call(login, { body: user })).toMatchObject({ status: 204 })
  })

  it('requires a wait after five wrong tries', async () => {
    const client = await signedIn(await account())
    const body = { currentPassword: 'Wrong-1!', ...withConfirmation(NEW_PASSWORD) }
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await client.call(changePassword, { body })).toMatchObject({ status: 400 })
    }
    expect(await client.call(changePassword, { body })).toMatchObject({ status: 429 })
  })

  async function signedInAgain(user: { email: string; password: string }) {
    const [last] = await mailbox.mailsTo(user.email)
    return signedIn(user, { after: last })
  }
})
