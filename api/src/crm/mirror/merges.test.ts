import { randomUUID } from 'node:crypto'
import { getAppointments } from '@guidon/contract/appointments'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { newOrg } from '@guidon/tests/org'
import { expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import type { ContactRow } from '../port.ts'
import { storeRows } from './store-rows.ts'

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 1)

const EMPTY = {
  portalUserId: null,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  street: null,
  city: null,
  state: null,
  zip: null,
  caseManagerId: null,
  boxFolderId: null,
  deceased: null,
}

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }

const contactOf = async (userId: string) => {
  const { rows } = await sql.query('select salesforce_id from users where id = $1', [userId])
  return rows[0].salesforce_id as string | null
}
const auditedLinks = async (userId: string) => {
  const { rows } = await sql.query(
    `select details from audit_events where event = 'account_linked' and subject_id = $1`,
    [userId],
  )
  return rows.map(({ details }) => details)
}
const addContact = () =>
  org.staff('add-contact', { LastName: 'Survivor', Email: `${randomUUID()}@example.com` })
const merge = (contactId: string, loserId: string) =>
  org.staff('merge-contacts', { contactId, loserId })

async function accountWithContact() {
  const signedUp = await testApp.signedUp()
  await expect.poll(() => contactOf(signedUp.userId), WAIT_OPTIONS).not.toBeNull()
  return { ...signedUp, contactId: (await contactOf(signedUp.userId))! }
}

const row = (id: string) => ({
  ...EMPTY,
  id,
  modifiedAt: new Date().toISOString(),
  deleted: false,
  masterId: null,
})
const merged = (id: string, masterId: string) => ({ ...row(id), deleted: true, masterId })
const store = (...rows: ContactRow[]) =>
  db
    .transaction()
    .execute((tx) =>
      storeRows(
        tx,
        { outbox: { add: async () => {} }, stages: [], log: createLog('silent', 'test') },
        'contact',
        rows,
      ),
    )
const unknownContact = () => `003${randomUUID().replaceAll('-', '').slice(0, 15)}`

it('an account follows its contact when staff merge it into another one', async () => {
  const { client, userId, contactId } = await accountWithContact()
  await org.staff('add-appointment', { contactId, date: '2031-05-05', time: '10:00' })
  const survivor = await addContact()
  await merge(survivor, contactId)
  await expect.poll(() => contactOf(userId), WAIT_OPTIONS).toBe(survivor)
  expect(await auditedLinks(userId)).toEqual([{ contact: survivor, before: contactId }])
  expect(await org.rows('Contact', { Portal_User_Id__c: userId })).toMatchObject([{ Id: survivor }])
  await expect
    .poll(async () => (await client.call(getAppointments, {})).body, WAIT_OPTIONS)
    .toMatchObject([{ appointmentDateText: '2031-05-05' }])
})

it('an account follows a chain of merges', async () => {
  const { userId, contactId } = await accountWithContact()
  const [second, last] = [await addContact(), await addContact()]
  await org.fault({ mode: '500' })
  await merge(second, contactId)
  await merge(last, second)
  await org.fault({ mode: 'none' })
  await expect.poll(() => contactOf(userId), WAIT_OPTIONS).toBe(last)
})

it('an account follows a chain whose later merge the mirror has read first', async () => {
  const { userId, contactId } = await accountWithContact()
  const [second, last] = [await addContact(), await addContact()]
  await merge(last, second)
  const isMerged = async () =>
    (await sql.query('select from crm_contact where id = $1 and master_id = $2', [second, last]))
      .rowCount
  await expect.poll(isMerged, WAIT_OPTIONS).toBe(1)
  await store(merged(contactId, second))
  expect(await contactOf(userId)).toBe(last)
})

it('an account stays where it is if the surviving contact has another account', async () => {
  const [first, second] = [await accountWithContact(), await accountWithContact()]
  await merge(second.contactId, first.contactId)
  await expect
    .poll(() => testApp.logged(), WAIT_OPTIONS)
    .toContain('crm: merged contact has another account')
  const line = testApp
    .logged()
    .split('\n')
    .find((text) => text.includes('has another account'))
  expect(JSON.parse(line!)).toMatchObject({ userId: first.userId, contactId: second.contactId })
  expect(await contactOf(first.userId)).toBe(first.contactId)
  expect(await contactOf(second.userId)).toBe(second.contactId)
  expect(await auditedLinks(first.userId)).toEqual([])
})

it('an account waits until the mirror has the surviving contact', async () => {
  const { userId, contactId } = await accountWithContact()
  const survivor = unknownContact()
  await store(merged(contactId, survivor))
  expect(await contactOf(userId)).toBe(contactId)
  await store(row(survivor))
  expect(await contactOf(userId)).toBe(survivor)
})

it('an account does not follow to the contact that staff unlinked it from', async () => {
  const { userId, contactId } = await accountWithContact()
  const survivor = unknownContact()
  await sql.query('update users set unlinked_from = $1 where id = $2', [survivor, userId])
  await store(row(survivor), merged(contactId, survivor))
  expect(await contactOf(userId)).toBe(contactId)
})

it('of two accounts whose contacts were merged into a third one, none follows', async () => {
  const [first, second] = [await accountWithContact(), await accountWithContact()]
  const survivor = unknownContact()
  await store(row(survivor), merged(first.contactId, survivor), merged(second.contactId, survivor))
  expect(await contactOf(first.userId)).toBe(first.contactId)
  expect(await contactOf(second.userId)).toBe(second.contactId)
})

it('an account does not follow to the contact of an erased account', async () => {
  const { userId, contactId } = await accountWithContact()
  const survivor = unknownContact()
  await sql.query('insert into erasures (user_id, contact_id) values ($1, $2)', [
    randomUUID(),
    survivor,
  ])
  await store(row(survivor), merged(contactId, survivor))
  expect(await contactOf(userId)).toBe(contactId)
})
