import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { boot, NEWCOMER } from '../../../test/boot.ts'
import { newOrg } from '../../../test/org.ts'
import { sendToCrm } from '../../crm/outbox/outbox.ts'

const org = await newOrg()
const house = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
const { sql } = house

interface Contact {
  Id: string
  FirstName: string
  Email: string
  Portal_User_Id__c: string
}

const newEmail = () => `${randomUUID()}@example.com`
const known = (email: string, difference: object = {}) =>
  org.staff('add-contact', { LastName: NEWCOMER.lastName, Email: email, ...difference })
const mirrored = (id: string) =>
  vi.waitUntil(
    async () => (await sql.query('select from crm_contact where id = $1', [id])).rowCount === 1,
    15_000,
  )
const accountOf = async (userId: string) => {
  const { rows } = await sql.query(
    `select salesforce_id, linked_at is not null as linked from users where id = $1`,
    [userId],
  )
  return rows[0]
}
const contactsOf = (email: string) => org.rows<Contact>('Contact', { Email: email })
const contactOf = (userId: string) => org.rows<Contact>('Contact', { Portal_User_Id__c: userId })
const links = async (userId: string) => {
  const { rows } = await sql.query(
    `select details from audit_events where event = 'account_linked' and subject_id = $1`,
    [userId],
  )
  return rows.map(({ details }) => details)
}

it('someone whom the provider knows by email and last name is linked, and it is audited', async () => {
  const email = newEmail()
  const id = await known(email)
  await mirrored(id)
  const { linked, userId } = await house.signedUp(email)
  expect(linked).toBe(true)
  expect(await accountOf(userId)).toEqual({ salesforce_id: id, linked: true })
  expect(await links(userId)).toEqual([{ contact: id }])
  expect(await contactOf(userId)).toMatchObject([{ Id: id, Email: email }])
  expect(await contactsOf(email)).toHaveLength(1)
})

it('someone new becomes a contact of their own, by our id', async () => {
  const { linked, userId, email } = await house.signedUp()
  expect(linked).toBe(false)
  const [contact, ...more] = await contactOf(userId)
  expect(contact).toMatchObject({ FirstName: 'Maria', Email: email })
  expect(more).toEqual([])
  await expect.poll(() => accountOf(userId)).toEqual({ salesforce_id: contact!.Id, linked: false })
  expect(await links(userId)).toEqual([])
})

it('someone whom two contacts fit is linked to neither', async () => {
  const email = newEmail()
  await known(email)
  await mirrored(await known(email))
  const { linked, userId } = await house.signedUp(email)
  expect(linked).toBe(false)
  expect(await contactOf(userId)).toHaveLength(1)
  expect(await contactsOf(email)).toHaveLength(3)
})

it("a contact that is another account's is not given away", async () => {
  const first = await house.signedUp()
  const [contact] = await contactOf(first.userId)
  const email = newEmail()
  await org.staff('edit-contact', { contactId: contact!.Id, Email: email })
  const second = await house.signedUp(email)
  const [own] = await contactOf(second.userId)
  expect(own!.Id).not.toBe(contact!.Id)
})

it('a contact that the mirror has not seen yet is found before a second one is made', async () => {
  const apart = await newOrg()
  const late = await boot({ environment: { ...apart.environment, CRM_POLL_SECONDS: '3600' } })
  const email = newEmail()
  const id = await apart.staff('add-contact', { LastName: 'Alvarez', Email: email })
  const { userId } = await late.signedUp(email)
  expect(await apart.rows('Contact', { Portal_User_Id__c: userId })).toMatchObject([{ Id: id }])
  expect(await apart.rows('Contact', { Email: email })).toHaveLength(1)
  await expect
    .poll(async () => {
      const { rows } = await late.sql.query('select linked_at from users where id = $1', [userId])
      return rows[0].linked_at
    })
    .not.toBeNull()
})

it('told twice, the CRM has one contact', async () => {
  const { userId, email } = await house.signedUp()
  await contactOf(userId)
  await sql.query('update crm_outbox set sent_at = null where user_id = $1', [userId])
  await Promise.all([house.send(sendToCrm, { userId }), house.send(sendToCrm, { userId })])
  await expect
    .poll(async () => {
      const { rows } = await sql.query('select sent_at from crm_outbox where user_id = $1', [
        userId,
      ])
      return rows.every(({ sent_at }) => sent_at !== null)
    })
    .toBe(true)
  expect(await contactsOf(email)).toHaveLength(1)
})

it('staff have no contact in the CRM', async () => {
  const staff = await house.account('STAFF')
  await house.signedIn(staff)
  const { rows } = await sql.query(
    'select kind from crm_outbox join users on users.id = user_id where email = $1',
    [staff.email],
  )
  expect(rows).toEqual([])
})
