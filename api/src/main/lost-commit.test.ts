import { randomUUID } from 'node:crypto'
import { checkAuth, login, refresh, verifyLogin } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { replaceDocument, uploadDocument } from '@guidon/contract/documents'
import { createHandOff } from '@guidon/contract/hand-off'
import { saveIntake } from '@guidon/contract/intake'
import { deactivateUser, reactivateUser, resetUserPassword } from '@guidon/contract/manage-users'
import { setNoticePreference } from '@guidon/contract/notices'
import { changePassword, forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { startDatabaseProxy } from '@guidon/tests/database-proxy'
import { newName, newPdf } from '@guidon/tests/documents'
import { mailbox } from '@guidon/tests/mailbox'
import { PASSWORD } from '@guidon/tests/outside/account'
import { append, create, finish, idOf } from '@guidon/tests/resumable'
import type { Reply, TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'

const direct = await boot()
const { sql } = direct
const proxy = await startDatabaseProxy(direct.config.DATABASE_URL)
/** An API that loses its connection; the worker has its own. */
const { newClient } = await boot({
  worker: false,
  database: direct.config.DATABASE_URL,
  environment: { DATABASE_URL: proxy.url },
})

const NEW_PASSWORD = 'Meadow5!anchor-river'
const passwords = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }

/** The same cookies, at the API that loses its connection. */
function elsewhere(client: TestClient): TestClient {
  const other = newClient()
  for (const [name, value] of client.cookies) other.cookies.set(name, value)
  return other
}

/** Loses the response to the COMMIT of a request, and sends the request again. */
async function repeated<Response extends Reply>(request: () => Promise<Response>) {
  const lost = proxy.loseNextCommit()
  const first = await request()
  await lost
  expect(first).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(first.body).not.toHaveProperty('message')
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
  return request()
}

const count = async (rows: string, values: unknown[]) => {
  const found = await sql.query<{ n: number }>(`select count(*)::int as n from ${rows}`, values)
  return found.rows[0]!.n
}
const events = (event: string, email: string) =>
  count('audit_events join users on users.id = subject_id where event = $1 and email = $2', [
    event,
    email,
  ])
const idOfAccount = async (email: string) => {
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]!.id
}

describe('a request whose COMMIT was executed, but not acknowledged, can be repeated', () => {
  it('a right code opens one session, and the same tokens are sent again', async () => {
    const { email, password } = await direct.account()
    const client = newClient()
    await client.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const verified = await repeated(() => client.call(verifyLogin, { body: { email, code } }))
    expect(verified).toMatchObject({ status: 200, body: { user: { role: 'USER' } } })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 200 })
    expect(await client.call(refresh, {})).toMatchObject({ status: 204 })
    expect(await count('sessions where user_id = $1', [await idOfAccount(email)])).toBe(1)
    expect(await events('signed_in', email)).toBe(1)
    expect(await events('signed_in_on_new_device', email)).toBe(1)
  })

  it('a wrong code is refused after a right one, as is the right one two minutes later', async () => {
    const { email, password } = await direct.account()
    const client = newClient()
    await client.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const challenge = new Map(client.cookies)
    await client.call(verifyLogin, { body: { email, code } })
    const thief = newClient()
    for (const [name, value] of challenge) thief.cookies.set(name, value)
    const wrong = code === '000000' ? '111111' : '000000'
    const response = await thief.call(verifyLogin, { body: { email, code: wrong } })
    expect(response).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
    await sql.query("update challenges set consumed_at = consumed_at - interval '2 minutes'")
    const late = await thief.call(verifyLogin, { body: { email, code } })
    expect(late).toMatchObject({ status: 400, body: { code: 'no_challenge' } })
  })

  it('a temporary password is exchanged for one reset token', async () => {
    const { email, password } = await direct.account()
    await sql.query(
      "update users set password_expires_at = now() + interval '1 hour' where email = $1",
      [email],
    )
    const client = newClient()
    await client.call(login, { body: { email, password } })
    const code = await mailbox.codeFor(email)
    const verified = await repeated(() => client.call(verifyLogin, { body: { email, code } }))
    const { resetToken: token = '' } = verified.body as { resetToken?: string }
    const set = await client.call(resetPassword, { body: { token, ...passwords } })
    expect(set).toMatchObject({ status: 204 })
  })

  it('a verified sign-up is one account', async () => {
    const email = `${randomUUID()}@example.com`
    const client = newClient()
    await client.call(register, { body: { ...NEWCOMER, email } })
    const code = await mailbox.codeFor(email)
    const verified = await repeated(() => client.call(verifyEmail, { body: { email, code } }))
    expect(verified).toMatchObject({ status: 200 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 200 })
    expect(await count('users where email = $1', [email])).toBe(1)
    expect(await events('email_verified', email)).toBe(1)
  })

  it('a reset password is set once, and its link cannot set another password', async () => {
    const { email } = await direct.account()
    await direct.newClient().call(forgotPassword, { body: { email } })
    const [mail] = await mailbox.mailsTo(email, { subject: 'Reset your Guidon password' })
    const token = mail!.text.match(/reset-password\?token=([\w-]+)/)![1]!
    const client = newClient()
    const set = await repeated(() => client.call(resetPassword, { body: { token, ...passwords } }))
    expect(set.status).toBe(204)
    expect(await events('password_reset', email)).toBe(1)
    const other = { newPassword: 'Other8!harbor-stone', confirmPassword: 'Other8!harbor-stone' }
    const again = await client.call(resetPassword, { body: { token, ...other } })
    expect(again).toMatchObject({ status: 400, body: { code: 'reset_link_void' } })
  })

  it('a changed password is changed once', async () => {
    const user = await direct.account()
    const client = elsewhere(await direct.withSession(user))
    const body = { currentPassword: PASSWORD, ...passwords }
    const changed = await repeated(() => client.call(changePassword, { body }))
    expect(changed.status).toBe(204)
    expect(await events('password_changed', user.email)).toBe(1)
    const guessed = {
      ...body,
      newPassword: `${NEW_PASSWORD}x`,
      confirmPassword: `${NEW_PASSWORD}x`,
    }
    expect(await client.call(changePassword, { body: guessed })).toMatchObject({ status: 400 })
  })

  it('what staff do to an account is done once', async () => {
    const staff = elsewhere(await direct.withSession(await direct.account('ADMIN')))
    const { email } = await direct.account()
    const params = { id: await idOfAccount(email) }
    const set = await repeated(() => staff.call(resetUserPassword, { params, body: passwords }))
    expect(set.status).toBe(204)
    expect(await events('password_set_by_staff', email)).toBe(1)
    expect((await repeated(() => staff.call(deactivateUser, { params }))).status).toBe(204)
    expect((await repeated(() => staff.call(reactivateUser, { params }))).status).toBe(200)
    expect(await events('account_deactivated', email)).toBe(1)
    expect(await events('account_reactivated', email)).toBe(1)
  })

  it('a contact request is one request', async () => {
    const { client, userId } = await direct.signedUp()
    const body = { method: 'Call' as const }
    const requested = await repeated(() => elsewhere(client).call(requestContact, { body }))
    expect(requested.status).toBeLessThan(300)
    expect(await count('contact_requests where user_id = $1', [userId])).toBe(1)
  })

  it('an intake is saved and submitted once', async () => {
    const { client, userId, email } = await direct.signedUp()
    const veteran = elsewhere(client)
    const save = (submit: { submit?: true }) =>
      repeated(() => veteran.call(saveIntake, { body: { city: 'San Diego', ...submit } }))
    expect(await save({})).toMatchObject({ status: 200 })
    expect(await save({ submit: true })).toMatchObject({ status: 200 })
    expect(await events('intake_submitted', email)).toBe(1)
    const entries = await count("crm_outbox where user_id = $1 and kind = 'intake'", [userId])
    expect(entries).toBe(1)
  })

  it('a document is stored once, as is its next version', async () => {
    const { client, userId, email } = await direct.signedUp()
    const veteran = elsewhere(client)
    const file = { name: newName(), bytes: newPdf() }
    const fields = { documentType: 'Other' }
    const sent = await repeated(() => veteran.upload(uploadDocument, file, { fields }))
    expect(sent.status).toBe(200)
    const params = { id: sent.body.id }
    const next = { ...file, bytes: newPdf() }
    const replaced = await repeated(() => veteran.upload(replaceDocument, next, { params }))
    expect(replaced.status).toBe(200)
    expect(await count('uploads where user_id = $1', [userId])).toBe(2)
    expect(await events('document_uploaded', email)).toBe(1)
    expect(await events('document_replaced', email)).toBe(1)
    // Two minutes later, the same request is not taken for a repetition.
    await sql.query("update uploads set received_at = received_at - interval '2 minutes'")
    expect((await veteran.upload(replaceDocument, next, { params })).status).toBe(200)
    expect(await events('document_replaced', email)).toBe(2)
  })

  it('an upload in parts becomes one document', async () => {
    const { client, userId } = await direct.signedUp()
    const veteran = elsewhere(client)
    const bytes = newPdf()
    const id = idOf(await repeated(() => create(veteran, bytes.length)))
    expect((await append(veteran, id, 0, bytes)).status).toBe(204)
    const lost = proxy.loseNextCommit()
    // After the failure, the API itself looks for the document.
    expect((await finish(veteran, id)).status).toBe(200)
    await lost
    expect((await finish(veteran, id)).status).toBe(200)
    expect(await count('documents where user_id = $1', [userId])).toBe(1)
  })

  it('a session survives a refresh', async () => {
    const client = elsewhere(await direct.withSession(await direct.account()))
    expect(await repeated(() => client.call(refresh, {}))).toMatchObject({ status: 204 })
    expect(await client.call(checkAuth, {})).toMatchObject({ status: 200 })
  })

  it('a hand-off is replaced by the next one, and a preference stays as it is', async () => {
    const { client, userId, email } = await direct.signedUp()
    const veteran = elsewhere(client)
    const body = { documentType: 'Other' }
    expect((await repeated(() => veteran.call(createHandOff, { body }))).status).toBeLessThan(300)
    expect(await count('hand_offs where user_id = $1', [userId])).toBe(1)
    const off = { kind: 'appointment' as const, on: false }
    const set = await repeated(() => veteran.call(setNoticePreference, { body: off }))
    expect(set.status).toBe(200)
    expect(await events('notices_changed', email)).toBe(1)
  })
})
