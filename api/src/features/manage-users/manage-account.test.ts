import { checkAuth, login, verifyLogin, wrongCredentials } from '@guidon/contract/auth'
import { deactivateUser, reactivateUser, resetUserPassword } from '@guidon/contract/manage-users'
import { FIX_PASSWORD_BELOW, resetPassword } from '@guidon/contract/password'
import { mailbox } from '@guidon/tests/mailbox'
import { bootWithStaff } from '@guidon/tests/staff'
import { describe, expect, it } from 'vitest'

const { testApp, newAccount, staffAccount, staff, eventsOf } = await bootWithStaff()
const { sql } = testApp

const TEMPORARY = 'Quartz-Meadow-91!'
const OWN = 'Copper-Window-58!'
const passwords = (newPassword: string) => ({ newPassword, confirmPassword: newPassword })

describe('a deactivated account', () => {
  it('is refused at its next request and at sign-in, and the change is recorded once', async () => {
    const veteran = await newAccount()
    const client = await testApp.signedIn(veteran)
    for (let round = 0; round < 2; round += 1) {
      const response = await staff.call(deactivateUser, { params: { id: veteran.id } })
      expect(response.status).toBe(204)
    }
    expect((await client.call(checkAuth, {})).status).toBe(401)
    const { status, body } = await testApp.newClient().call(login, { body: veteran })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'account_deactivated' })
    expect(await eventsOf(veteran.id, 'account_deactivated')).toEqual([
      { actor: staffAccount.id, details: {} },
    ])
  })

  it('cannot sign in with a code that was sent before', async () => {
    const veteran = await newAccount()
    const client = testApp.newClient()
    await client.call(login, { body: veteran })
    const code = await mailbox.codeFor(veteran.email)
    await staff.call(deactivateUser, { params: { id: veteran.id } })
    const response = await client.call(verifyLogin, { body: { email: veteran.email, code } })
    expect(response.status).toBe(400)
  })
})

describe('an account that is made active again', () => {
  async function inactiveVeteran() {
    const veteran = await newAccount()
    const client = await testApp.signedIn(veteran)
    await staff.call(deactivateUser, { params: { id: veteran.id } })
    return { veteran, client, params: { id: veteran.id } }
  }
  const isActive = async (id: string) => {
    const { rows } = await sql.query<{ active: boolean }>(
      'select is_active as active from users where id = $1',
      [id],
    )
    return rows[0]?.active
  }

  it('can sign in with the same password; its old sessions stay ended, and its owner gets an email', async () => {
    const administrator = await newAccount('ADMIN')
    const admin = await testApp.withSession(administrator)
    const { veteran, client, params } = await inactiveVeteran()
    const [last] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    const { status, body } = await admin.call(reactivateUser, { params })
    expect({ status, body }).toMatchObject({ status: 200, body: { ...params, isActive: true } })
    expect((await client.call(checkAuth, {})).status).toBe(401)
    const again = await testApp.signedIn(veteran, { after: last })
    expect((await again.call(checkAuth, {})).status).toBe(200)
    expect(await eventsOf(veteran.id, 'account_reactivated')).toEqual([
      { actor: administrator.id, details: {} },
    ])
    const [mail] = await mailbox.mailsTo(veteran.email, { subject: 'active again' })
    expect(mail?.text).toContain('/signin')
  })

  it('stays inactive if the actor is not an administrator', async () => {
    const { veteran, params } = await inactiveVeteran()
    expect((await staff.call(reactivateUser, { params })).status).toBe(403)
    expect(await isActive(veteran.id)).toBe(false)
  })

  it('is recorded once, and its owner gets one email, if two administrators reactivate it at once', async () => {
    const admins = await Promise.all(
      [1, 2].map(async () => testApp.withSession(await newAccount('ADMIN'))),
    )
    const { veteran, params } = await inactiveVeteran()
    const responses = await Promise.all(
      admins.map((admin) => admin.call(reactivateUser, { params })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await eventsOf(veteran.id, 'account_reactivated')).toHaveLength(1)
    const { rows } = await sql.query(
      `select from pgboss.job where name = 'manage-users.send-reactivated'
         and data ->> 'userId' = $1`,
      [veteran.id],
    )
    expect(rows).toHaveLength(1)
  })

  it('is gone if it is erased at the same time', async () => {
    const admin = await testApp.withSession(await newAccount('ADMIN'))
    for (let round = 0; round < 5; round += 1) {
      const { veteran, params } = await inactiveVeteran()
      const [{ status }] = await Promise.all([
        admin.call(reactivateUser, { params }),
        testApp.admin.records.erase.erase(veteran.id),
      ])
      expect([200, 404]).toContain(status)
      expect(await isActive(veteran.id)).toBeUndefined()
      expect((await admin.call(reactivateUser, { params })).status).toBe(404)
    }
  })
})

it('keeps one of two administrators active if they deactivate each other at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    await sql.query(`update users set is_active = false where role = 'ADMIN'`)
    const pair = await Promise.all([newAccount('ADMIN'), newAccount('ADMIN')])
    const [one, other] = await Promise.all(pair.map((admin) => testApp.withSession(admin)))
    const [first, second] = await Promise.all([
      one!.call(deactivateUser, { params: { id: pair[1].id } }),
      other!.call(deactivateUser, { params: { id: pair[0].id } }),
    ])
    expect(new Set([first.status, second.status])).toEqual(new Set([204, 401]))
    const { rows } = await sql.query(`select from users where role = 'ADMIN' and is_active`)
    expect(rows).toHaveLength(1)
  }
})

describe('a password set by staff', () => {
  async function setTemporary() {
    const veteran = await newAccount()
    const client = await testApp.signedIn(veteran)
    const [signIn] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    const params = { id: veteran.id }
    const { status } = await staff.call(resetUserPassword, { params, body: passwords(TEMPORARY) })
    expect(status).toBe(204)
    return { veteran, client, signIn }
  }

  async function signInWithTemporary(email: string, after?: string) {
    const client = testApp.newClient()
    await client.call(login, { body: { email, password: TEMPORARY } })
    const code = await mailbox.codeFor(email, after ? { after } : {})
    return { client, response: await client.call(verifyLogin, { body: { email, code } }) }
  }

  it('ends all sessions, is recorded, and its owner gets an email without the password', async () => {
    const { veteran, client } = await setTemporary()
    expect((await client.call(checkAuth, {})).status).toBe(401)
    expect(await eventsOf(veteran.id, 'password_set_by_staff')).toEqual([
      { actor: staffAccount.id, details: {} },
    ])
    const [mail] = await mailbox.mailsTo(veteran.email, { subject: 'reset by our staff' })
    expect(mail?.text).toContain('within 72 hours')
    expect(mail?.text + mail!.html).not.toContain(TEMPORARY)
    const old = await testApp.newClient().call(login, { body: veteran })
    expect(old.body.code).toBe(wrongCredentials.code)
  })

  it('allows its owner nothing but to choose another password', async () => {
    const { veteran, signIn } = await setTemporary()
    const { client, response } = await signInWithTemporary(veteran.email, signIn!.id)
    expect(response).toMatchObject({ status: 200, body: { user: { role: 'USER' } } })
    expect([...client.cookies.keys()]).toEqual([])
    expect((await client.call(checkAuth, {})).status).toBe(401)
    const token = response.body.resetToken!
    expect((await client.call(resetPassword, { body: { token, ...passwords(OWN) } })).status).toBe(
      204,
    )
    const again = await client.call(resetPassword, {
      body: { token, ...passwords('Other8!harbor-stone') },
    })
    expect(again.status).toBe(400)
    const [last] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    const own = await testApp.signedIn({ email: veteran.email, password: OWN }, { after: last })
    expect((await own.call(checkAuth, {})).status).toBe(200)
  })

  it('expires after 72 hours', async () => {
    const { veteran } = await setTemporary()
    const expireBy = (hours: number) =>
      sql.query(
        `update users set password_expires_at = password_expires_at - make_interval(hours => $1)
         where id = $2`,
        [hours, veteran.id],
      )
    const body = { email: veteran.email, password: TEMPORARY }
    await expireBy(71)
    expect((await testApp.newClient().call(login, { body })).status).toBe(204)
    await expireBy(1)
    const { body: refusal } = await testApp.newClient().call(login, { body })
    expect(refusal.code).toBe(wrongCredentials.code)
  })

  it.each([
    ['too short', 'Sh0rt!', 'Password must be at least 8 characters long'],
    ['without a symbol', 'Harbor1Lantern', 'Password does not meet requirements'],
    ['easy to guess', 'Password1!', FIX_PASSWORD_BELOW],
    ['with a name in it', 'Whitfield-7!', FIX_PASSWORD_BELOW],
  ])('is refused when it is %s', async (_, password, message) => {
    const { id } = await newAccount()
    const response = await staff.call(resetUserPassword, {
      params: { id },
      body: passwords(password),
    })
    expect(response).toMatchObject({ status: 422, body: { fields: { newPassword: message } } })
  })

  it('is refused for a deactivated account', async () => {
    const { id } = await newAccount()
    await staff.call(deactivateUser, { params: { id } })
    const response = await staff.call(resetUserPassword, {
      params: { id },
      body: passwords(TEMPORARY),
    })
    expect(response).toMatchObject({ status: 409, body: { code: 'already_inactive' } })
  })
})
