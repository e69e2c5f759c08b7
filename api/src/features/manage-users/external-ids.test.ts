import { randomUUID } from 'node:crypto'
import { folderRefused } from '@guidon/contract/folders'
import {
  contactTaken,
  contactUnknown,
  deactivateUser,
  updateUser,
} from '@guidon/contract/manage-users'
import { NEWCOMER } from '@guidon/tests/boot'
import { newBox } from '@guidon/tests/box'
import { linkTo } from '@guidon/tests/links'
import { newOrg } from '@guidon/tests/org'
import { bootWithStaff } from '@guidon/tests/staff'
import { describe, expect, it, vi } from 'vitest'

const [org, box] = await Promise.all([newOrg(), newBox()])
const { testApp, newAccount, staffAccount, staff, eventsOf } = await bootWithStaff({
  ...org.environment,
  ...box.environment,
  CRM_POLL_SECONDS: '1',
})
const { sql } = testApp
const newFolder = async () => (await box.addFolder(randomUUID())).id

const waitUntilMirrored = (id: string) =>
  vi.waitUntil(
    async () => (await sql.query('select from crm_contact where id = $1', [id])).rowCount === 1,
    15_000,
  )

describe('the Salesforce ID', () => {
  /** The only one with the account's email and last name. */
  const newContact = async ({ email }: { email: string }) => {
    const id = await org.staff('add-contact', { LastName: 'Whitfield', Email: email })
    await waitUntilMirrored(id)
    return id
  }
  const set = (id: string, salesforceId: string) =>
    staff.call(updateUser, { params: { id }, body: { salesforceId } })

  it('is stored in its long form, recorded with the previous one, and sent to the CRM', async () => {
    const veteran = await newAccount()
    const one = await newContact(veteran)
    expect(await set(veteran.id, one.slice(0, 15))).toMatchObject({
      status: 200,
      body: { id: veteran.id, salesforceId: one },
    })
    const two = await newContact(veteran)
    expect((await set(veteran.id, two)).body.salesforceId).toBe(two)
    expect(await eventsOf(veteran.id, 'account_linked')).toEqual([
      { actor: staffAccount.id, details: { contact: one, origin: 'staff' } },
      { actor: staffAccount.id, details: { contact: two, origin: 'staff', before: one } },
    ])
    await vi.waitUntil(async () => {
      const held = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: veteran.id })
      return held.length === 1 && held[0]!.Id === two
    }, 60_000)
  })

  it('is refused if the CRM has no such contact', async () => {
    const { id } = await newAccount()
    for (const unknown of ['0035g00000ZZZZZAA4', '1', 'x'.repeat(15)]) {
      expect(await set(id, unknown)).toMatchObject({
        status: 422,
        body: { code: contactUnknown.code },
      })
    }
  })

  it('is refused if it is linked to another account, in the portal or in the CRM', async () => {
    const [linkedInPortal, linkedInCrm, other] = [
      await newAccount(),
      await newAccount(),
      await newAccount(),
    ]
    const [one, two] = [await newContact(linkedInPortal), await newContact(linkedInCrm)]
    await set(linkedInPortal.id, one)
    await sql.query('update crm_contact set portal_user_id = $1 where id = $2', [
      linkedInCrm.id,
      two,
    ])
    for (const taken of [one, two]) {
      expect(await set(other.id, taken)).toMatchObject({
        status: 409,
        body: { code: contactTaken.code },
      })
    }
    expect((await set(linkedInCrm.id, two)).status).toBe(200)
  })

  it('is given to only one account by concurrent requests', async () => {
    const [owner, ...others] = [await newAccount(), await newAccount(), await newAccount()]
    const contact = await newContact(owner)
    await Promise.all([owner, ...others].map(({ id }) => set(id, contact)))
    const { rows } = await sql.query(
      `select user_id from links where contact_id = $1 and state = 'live'`,
      [contact],
    )
    expect(rows).toEqual([{ user_id: owner.id }])
  })
})

it('makes a new contact for an account that the operator unlinked, and does not link the old one again', async () => {
  const email = `${randomUUID()}@example.com`
  const contact = { LastName: NEWCOMER.lastName, Email: email }
  const wrong = await org.staff('add-contact', contact)
  await waitUntilMirrored(wrong)
  const { userId, linked } = await testApp.signedUp(email)
  expect(linked).toBe(true)
  const holders = () => org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
  await vi.waitUntil(async () => (await holders())[0]?.Id === wrong, 60_000)
  expect(await testApp.admin.accounts.unlink(email)).toBe(true)
  await vi.waitUntil(async () => {
    const [holder] = await holders()
    return holder !== undefined && holder.Id !== wrong
  }, 60_000)
  expect(await holders()).toHaveLength(1)
  expect((await testApp.admin.audit.eventsOf(email)).map(({ event }) => event)).toContain(
    'account_unlinked',
  )
  expect(await testApp.admin.accounts.unlink(`${randomUUID()}@example.com`)).toBe(false)
})

it('stores and records the Box ID, and changes no other field', async () => {
  const { id, email } = await newAccount()
  const folder = await newFolder()
  const body = { boxFolderId: folder, role: 'ADMIN', email: 'other@example.com' }
  const response = await staff.call(updateUser, { params: { id }, body })
  expect(response.body).toMatchObject({ boxFolderId: folder, role: 'USER', email })
  expect(await eventsOf(id, 'box_folder_changed')).toEqual([
    { actor: staffAccount.id, details: { folder, before: 'none' } },
  ])
})

describe('a Box folder', () => {
  const give = (id: string, boxFolderId: string) =>
    staff.call(updateUser, { params: { id }, body: { boxFolderId } })
  const { code, message } = folderRefused('taken')
  const taken = { status: 409, body: { code, message } }
  const folderOf = async (userId: string) => {
    const { rows } = await sql.query('select box_folder_id as folder from users where id = $1', [
      userId,
    ])
    return rows[0].folder
  }

  it('of another account is refused, and the refusal is recorded', async () => {
    const [owner, other] = [await newAccount(), await newAccount()]
    const folder = await newFolder()
    expect((await give(owner.id, folder)).status).toBe(200)
    expect(await give(other.id, folder)).toMatchObject(taken)
    expect(await folderOf(other.id)).toBeNull()
    expect(await eventsOf(other.id, 'box_folder_changed')).toEqual([])
    const refusal = { action: 'PATCH /admin/users/{id}', status: 409, code }
    expect(await eventsOf(other.id, 'staff_action_refused')).toEqual([
      { actor: staffAccount.id, details: refusal },
    ])
    expect((await give(owner.id, folder)).status).toBe(200)
  })

  it('of a deactivated account is refused too', async () => {
    const [owner, other] = [await newAccount(), await newAccount()]
    const folder = await newFolder()
    await give(owner.id, folder)
    await staff.call(deactivateUser, { params: { id: owner.id } })
    expect(await give(other.id, folder)).toMatchObject(taken)
  })

  it("of another contact in the CRM is refused, and the account's own is not", async () => {
    const [linkedInPortal, other, linkedInCrm] = [
      await newAccount(),
      await newAccount(),
      await newAccount(),
    ]
    const folders = [await newFolder(), await newFolder(), await newFolder()]
    const [contactOfPortalLink, contactOfCrmLink, deletedContact] = folders.map(
      () => `003${randomUUID().slice(0, 12)}`,
    )
    await sql.query(
      `insert into crm_contact (id, modified_at, deleted, portal_user_id, box_folder_id)
       values ($1, now(), false, null, $4), ($2, now(), false, $7, $5), ($3, now(), true, null, $6)`,
      [contactOfPortalLink, contactOfCrmLink, deletedContact, ...folders, linkedInCrm.id],
    )
    await linkTo(sql, { userId: linkedInPortal.id }, contactOfPortalLink!)
    expect(await give(other.id, folders[0]!)).toMatchObject(taken)
    expect(await give(other.id, folders[1]!)).toMatchObject(taken)
    expect((await give(linkedInPortal.id, folders[0]!)).status).toBe(200)
    expect((await give(linkedInCrm.id, folders[1]!)).status).toBe(200)
    expect((await give(other.id, folders[2]!)).status).toBe(200)
  })

  it('is given to only one account by several concurrent requests', async () => {
    const folder = await newFolder()
    const accounts = await Promise.all(Array.from({ length: 6 }, () => newAccount()))
    const responses = await Promise.all(accounts.map(({ id }) => give(id, folder)))
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409])
  })
})
