import { randomUUID } from 'node:crypto'
import type { Role } from '@guidon/contract/account'
import { checkAuth, login, verifyLogin, wrongCredentials } from '@guidon/contract/auth'
import {
  contactTaken,
  contactUnknown,
  deactivateUser,
  folderTaken,
  getActivity,
  resetUserPassword,
  updateUser,
} from '@guidon/contract/manage-users'
import { FIX_PASSWORD_BELOW, resetPassword } from '@guidon/contract/password'
import { describe, expect, it, vi } from 'vitest'
import { boot, NEWCOMER, PASSWORD } from '../../../test/boot.ts'
import { mailbox } from '../../../test/mailbox.ts'
import { newOrg } from '../../../test/org.ts'

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
const { sql } = testApp

async function newClient(role: Role = 'USER') {
  const account = await testApp.account(role)
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
    account.email,
  ])
  return { ...account, id: rows[0]!.id }
}
const staffAccount = await newClient('STAFF')
const staff = await testApp.signedIn(staffAccount)

const TEMPORARY = 'Quartz-Meadow-91!'
const OWN = 'Copper-Window-58!'
const twice = (newPassword: string) => ({ newPassword, confirmPassword: newPassword })

const eventsOf = async (userId: string, event: string) => {
  const { rows } = await sql.query(
    `select actor_id as actor, details from audit_events where subject_id = $1 and event = $2`,
    [userId, event],
  )
  return rows
}

const isMirrored = (id: string) =>
  vi.waitUntil(
    async () => (await sql.query('select from crm_contact where id = $1', [id])).rowCount === 1,
    15_000,
  )

describe('the Salesforce ID', () => {
  const aContact = async () => {
    const id = await org.staff('add-contact', {
      LastName: 'Okafor',
      Email: `${randomUUID()}@example.com`,
    })
    await isMirrored(id)
    return id
  }
  const set = (id: string, salesforceId: string) =>
    staff.call(updateUser, { params: { id }, body: { salesforceId } })

  it('is stored in its long form, audited with the one before, and the CRM is told', async () => {
    const veteran = await newClient()
    const [one, other] = [await aContact(), await aContact()]
    expect(await set(veteran.id, one.slice(0, 15))).toMatchObject({
      status: 200,
      body: { id: veteran.id, salesforceId: one },
    })
    expect((await set(veteran.id, other)).body.salesforceId).toBe(other)
    expect(await eventsOf(veteran.id, 'account_linked')).toEqual([
      { actor: staffAccount.id, details: { contact: one, before: 'none' } },
      { actor: staffAccount.id, details: { contact: other, before: one } },
    ])
    await vi.waitUntil(async () => {
      const held = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: veteran.id })
      return held.length === 1 && held[0]!.Id === other
    }, 15_000)
  })

  it('is refused where the CRM knows no such contact', async () => {
    const { id } = await newClient()
    for (const unknown of ['0035g00000ZZZZZAA4', '1', 'x'.repeat(15)]) {
      expect(await set(id, unknown)).toMatchObject({
        status: 422,
        body: { code: contactUnknown.code },
      })
    }
  })

  it('is refused where it is linked to another account, here or in the CRM', async () => {
    const [here, there, second] = [await newClient(), await newClient(), await newClient()]
    const [one, other] = [await aContact(), await aContact()]
    await set(here.id, one)
    await sql.query('update crm_contact set portal_user_id = $1 where id = $2', [there.id, other])
    for (const taken of [one, other]) {
      expect(await set(second.id, taken)).toMatchObject({
        status: 409,
        body: { code: contactTaken.code },
      })
    }
    expect((await set(there.id, other)).status).toBe(200)
  })

  it('goes to one of two accounts that are given it at once', async () => {
    const contact = await aContact()
    const accounts = await Promise.all([newClient(), newClient(), newClient()])
    const answers = await Promise.all(accounts.map(({ id }) => set(id, contact)))
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409', '409'])
  })
})

it('an account unlinked by the operator gets a contact of its own, and never finds back by itself', async () => {
  const email = `${randomUUID()}@example.com`
  const person = { LastName: NEWCOMER.lastName, Email: email }
  const wrong = await org.staff('add-contact', person)
  await isMirrored(wrong)
  const { userId, linked } = await testApp.signedUp(email)
  expect(linked).toBe(true)
  const holders = () => org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
  await vi.waitUntil(async () => (await holders())[0]?.Id === wrong, 15_000)
  expect(await testApp.admin.accounts.unlink(email)).toBe(true)
  await vi.waitUntil(async () => {
    const [holder] = await holders()
    return holder !== undefined && holder.Id !== wrong
  }, 15_000)
  expect(await holders()).toHaveLength(1)
  expect((await testApp.admin.audit.of(email)).map(({ event }) => event)).toContain(
    'account_unlinked',
  )
  expect(await testApp.admin.accounts.unlink(`${randomUUID()}@example.com`)).toBe(false)
})

it('the Box ID is stored and audited, and other fields are not touched', async () => {
  const { id, email } = await newClient()
  const body = { boxFolderId: '1200345', role: 'ADMIN', email: 'other@example.com' }
  const answer = await staff.call(updateUser, { params: { id }, body })
  expect(answer.body).toMatchObject({ boxFolderId: '1200345', role: 'USER', email })
  expect(await eventsOf(id, 'box_folder_changed')).toEqual([
    { actor: staffAccount.id, details: { folder: '1200345', before: 'none' } },
  ])
})

describe('a Box folder', () => {
  let last = 281_190_000_000
  const aFolder = () => String((last += 1))
  const give = (id: string, boxFolderId: string) =>
    staff.call(updateUser, { params: { id }, body: { boxFolderId } })
  const taken = { status: 409, body: { code: folderTaken.code, message: folderTaken.message } }
  const folderOf = async (userId: string) => {
    const { rows } = await sql.query('select box_folder_id as folder from users where id = $1', [
      userId,
    ])
    return rows[0].folder
  }

  it('that another account has is refused, also written with zeros, and the refusal is logged', async () => {
    const [owner, other] = [await newClient(), await newClient()]
    const folder = aFolder()
    expect((await give(owner.id, folder)).status).toBe(200)
    for (const same of [folder, `00${folder}`]) {
      expect(await give(other.id, same)).toMatchObject(taken)
    }
    expect(await folderOf(other.id)).toBeNull()
    expect(await eventsOf(other.id, 'box_folder_changed')).toEqual([])
    const refusal = { action: 'PATCH /admin/users/{id}', status: 409, code: folderTaken.code }
    expect(await eventsOf(other.id, 'staff_action_refused')).toEqual([
      { actor: staffAccount.id, details: refusal },
      { actor: staffAccount.id, details: refusal },
    ])
    expect((await give(owner.id, folder)).status).toBe(200)
  })

  it('that a deactivated account has is refused too', async () => {
    const [owner, other] = [await newClient(), await newClient()]
    const folder = aFolder()
    await give(owner.id, folder)
    await staff.call(deactivateUser, { params: { id: owner.id } })
    expect(await give(other.id, folder)).toMatchObject(taken)
  })

  it("that the CRM says is another contact's is refused, and not one's own", async () => {
    const [owner, other, coming] = [await newClient(), await newClient(), await newClient()]
    const folders = [aFolder(), aFolder(), aFolder()]
    const [linkedTo, namedBy, gone] = folders.map(() => `003${randomUUID().slice(0, 12)}`)
    await sql.query(
      `insert into crm_contact (id, modified_at, deleted, portal_user_id, box_folder_id)
       values ($1, now(), false, null, $4), ($2, now(), false, $7, $5), ($3, now(), true, null, $6)`,
      [linkedTo, namedBy, gone, ...folders, coming.id],
    )
    await sql.query('update users set salesforce_id = $1 where id = $2', [linkedTo, owner.id])
    expect(await give(other.id, folders[0]!)).toMatchObject(taken)
    expect(await give(other.id, folders[1]!)).toMatchObject(taken)
    expect((await give(owner.id, folders[0]!)).status).toBe(200)
    expect((await give(coming.id, folders[1]!)).status).toBe(200)
    expect((await give(other.id, folders[2]!)).status).toBe(200)
  })

  it('goes to one of several accounts that are given it at once', async () => {
    const folder = aFolder()
    const accounts = await Promise.all(Array.from({ length: 6 }, () => newClient()))
    const answers = await Promise.all(accounts.map(({ id }) => give(id, folder)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409])
  })
})

describe('a deactivated account', () => {
  it('is refused at its very next request and at sign-in, and it is audited once', async () => {
    const veteran = await newClient()
    const person = await testApp.signedIn(veteran)
    for (let time = 0; time < 2; time += 1) {
      const answer = await staff.call(deactivateUser, { params: { id: veteran.id } })
      expect(answer.status).toBe(204)
    }
    expect((await person.call(checkAuth, {})).status).toBe(401)
    const { status, body } = await testApp.newClient().call(login, { body: veteran })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'account_deactivated' })
    expect(await eventsOf(veteran.id, 'account_deactivated')).toEqual([
      { actor: staffAccount.id, details: {} },
    ])
  })

  it('opens no session with a code that was mailed before', async () => {
    const veteran = await newClient()
    const person = testApp.newClient()
    await person.call(login, { body: veteran })
    const code = await mailbox.codeFor(veteran.email)
    await staff.call(deactivateUser, { params: { id: veteran.id } })
    const answer = await person.call(verifyLogin, { body: { email: veteran.email, code } })
    expect(answer.status).toBe(400)
  })
})

it('of administrators who deactivate each other at once, one is left', async () => {
  for (let round = 0; round < 5; round += 1) {
    await sql.query(`update users set is_active = false where role = 'ADMIN'`)
    const pair = await Promise.all([newClient('ADMIN'), newClient('ADMIN')])
    const [one, other] = await Promise.all(pair.map((admin) => testApp.signedIn(admin)))
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
  async function withTemporary() {
    const veteran = await newClient()
    const person = await testApp.signedIn(veteran)
    const [signIn] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    const params = { id: veteran.id }
    const { status } = await staff.call(resetUserPassword, { params, body: twice(TEMPORARY) })
    expect(status).toBe(204)
    return { veteran, person, signIn }
  }

  async function verified(email: string, after?: string) {
    const person = testApp.newClient()
    await person.call(login, { body: { email, password: TEMPORARY } })
    const code = await mailbox.codeFor(email, after ? { after } : {})
    return { person, answer: await person.call(verifyLogin, { body: { email, code } }) }
  }

  it('ends all sessions, is audited, and its owner is told of it but not of the password', async () => {
    const { veteran, person } = await withTemporary()
    expect((await person.call(checkAuth, {})).status).toBe(401)
    expect(await eventsOf(veteran.id, 'password_set_by_staff')).toEqual([
      { actor: staffAccount.id, details: {} },
    ])
    const [mail] = await mailbox.mailsTo(veteran.email, { subject: 'reset by our staff' })
    expect(mail?.text).toContain('within 72 hours')
    expect(mail?.text + mail!.html).not.toContain(TEMPORARY)
    const old = await testApp.newClient().call(login, { body: veteran })
    expect(old.body.code).toBe(wrongCredentials.code)
  })

  it('leads to choosing another one and nowhere else', async () => {
    const { veteran, signIn } = await withTemporary()
    const { person, answer } = await verified(veteran.email, signIn!.id)
    expect(answer).toMatchObject({ status: 200, body: { user: { role: 'USER' } } })
    expect([...person.cookies.keys()]).toEqual([])
    expect((await person.call(checkAuth, {})).status).toBe(401)
    const token = answer.body.resetToken!
    expect((await person.call(resetPassword, { body: { token, ...twice(OWN) } })).status).toBe(204)
    const again = await person.call(resetPassword, { body: { token, ...twice(OWN) } })
    expect(again.status).toBe(400)
    const [last] = await mailbox.mailsTo(veteran.email, { subject: ' code' })
    const own = await testApp.signedIn({ email: veteran.email, password: OWN }, last)
    expect((await own.call(checkAuth, {})).status).toBe(200)
  })

  it('is void after 72 hours', async () => {
    const { veteran } = await withTemporary()
    const passes = (hours: number) =>
      sql.query(
        `update users set password_expires_at = password_expires_at - make_interval(hours => $1)
         where id = $2`,
        [hours, veteran.id],
      )
    const body = { email: veteran.email, password: TEMPORARY }
    await passes(71)
    expect((await testApp.newClient().call(login, { body })).status).toBe(204)
    await passes(1)
    const { body: refusal } = await testApp.newClient().call(login, { body })
    expect(refusal.code).toBe(wrongCredentials.code)
  })

  it.each([
    ['too short', 'Sh0rt!', 'Password must be at least 8 characters long'],
    ['without a symbol', 'Harbor1Lantern', 'Password does not meet requirements'],
    ['easy to guess', 'Password1!', FIX_PASSWORD_BELOW],
    ['with a name in it', 'Whitfield-7!', FIX_PASSWORD_BELOW],
  ])('is refused when it is %s', async (_, password, sentence) => {
    const { id } = await newClient()
    const answer = await staff.call(resetUserPassword, { params: { id }, body: twice(password) })
    expect(answer).toMatchObject({ status: 422, body: { fields: { newPassword: sentence } } })
  })

  it('is refused for an account that is deactivated', async () => {
    const { id } = await newClient()
    await staff.call(deactivateUser, { params: { id } })
    const answer = await staff.call(resetUserPassword, { params: { id }, body: twice(TEMPORARY) })
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_inactive' } })
  })
})

it('the owner reads what happened to the account, newest first, and nothing of others', async () => {
  const veteran = await newClient()
  await testApp.signedIn(await newClient())
  await staff.call(updateUser, { params: { id: veteran.id }, body: { boxFolderId: '12' } })
  await testApp
    .newClient()
    .call(login, { body: { email: veteran.email, password: `${PASSWORD}x` } })
  const person = await testApp.signedIn(veteran)
  const { body } = await person.call(getActivity, {})
  expect(body.map(({ what }) => what)).toEqual([
    'Signed in on a new device',
    'Sign-in tried with a wrong password',
    'Folder for your documents changed by our staff',
    'Account created by our staff',
  ])
  const moments = body.map(({ at }) => Date.parse(at))
  expect(moments).toEqual(moments.toSorted((a, b) => b - a))
})

it('the owner reads of the newest fifty things', async () => {
  const veteran = await newClient()
  const person = await testApp.signedIn(veteran)
  await sql.query(
    `insert into audit_events (event, subject_id)
     select 'document_uploaded', $1 from generate_series(1, 60)`,
    [veteran.id],
  )
  const { body } = await person.call(getActivity, {})
  expect(new Set(body.map(({ what }) => what))).toEqual(new Set(['Document uploaded']))
  expect(body).toHaveLength(50)
})
