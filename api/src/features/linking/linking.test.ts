// More than 300 lines in one file: each test file starts its own application, and these tests share one.

import { randomUUID } from 'node:crypto'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { linkOf, linkTo, unlinked } from '@guidon/tests/links'
import { newOrg } from '@guidon/tests/org'
import { describe, expect, it, vi } from 'vitest'

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })
const { sql } = testApp

interface Contact {
  Id: string
  FirstName: string
  Email: string
  Portal_User_Id__c: string
}

const newEmail = () => `${randomUUID()}@example.com`
const addContact = (email: string) =>
  org.staff('add-contact', { LastName: NEWCOMER.lastName, Email: email })
const mirrored = (id: string) =>
  vi.waitUntil(
    async () => (await sql.query('select from crm_contact where id = $1', [id])).rowCount === 1,
    15_000,
  )
const accountOf = (userId: string) => linkOf(sql, userId)
const contactsOf = (email: string) => org.rows<Contact>('Contact', { Email: email })
const contactsWithUserId = (userId: string) =>
  org.rows<Contact>('Contact', { Portal_User_Id__c: userId })
const auditedLinks = async (userId: string) => {
  const { rows } = await sql.query(
    `select details from audit_events where event = 'account_linked' and subject_id = $1`,
    [userId],
  )
  return rows.map(({ details }) => details)
}

it('links an account to the contact with its email and last name, and audits the link', async () => {
  const email = newEmail()
  const id = await addContact(email)
  await mirrored(id)
  const { linked, userId } = await testApp.signedUp(email)
  expect(linked).toBe(true)
  expect(await accountOf(userId)).toEqual({ contact: id, linked: true })
  expect(await auditedLinks(userId)).toEqual([{ contact: id, origin: 'signUp' }])
  expect(await contactsWithUserId(userId)).toMatchObject([{ Id: id, Email: email }])
  expect(await contactsOf(email)).toHaveLength(1)
})

it('makes a new contact with the id of the account for a veteran whom the provider does not know', async () => {
  const { linked, userId, email } = await testApp.signedUp()
  expect(linked).toBe(false)
  const [contact, ...more] = await contactsWithUserId(userId)
  expect(contact).toMatchObject({ FirstName: 'Maria', Email: email })
  expect(more).toEqual([])
  await expect.poll(() => accountOf(userId)).toEqual({ contact: contact!.Id, linked: false })
  expect(await auditedLinks(userId)).toEqual([])
})

it('links an account to neither of two contacts that match', async () => {
  const email = newEmail()
  await addContact(email)
  await mirrored(await addContact(email))
  const { linked, userId } = await testApp.signedUp(email)
  expect(linked).toBe(false)
  expect(await contactsWithUserId(userId)).toHaveLength(1)
  expect(await contactsOf(email)).toHaveLength(3)
})

it('does not link a contact that belongs to another account', async () => {
  const first = await testApp.signedUp()
  const [contact] = await contactsWithUserId(first.userId)
  const email = newEmail()
  await org.staff('edit-contact', { contactId: contact!.Id, Email: email })
  const second = await testApp.signedUp(email)
  const [own] = await contactsWithUserId(second.userId)
  expect(own!.Id).not.toBe(contact!.Id)
})

it('does not link a contact of another account before the CRM knows of that account', async () => {
  const first = await testApp.signedUp()
  const email = newEmail()
  const id = `0035g${randomUUID().replaceAll('-', '').slice(0, 13)}`
  await sql.query(
    `insert into crm_contact (id, modified_at, deleted, last_name, email)
     values ($1, now(), false, $2, $3)`,
    [id, NEWCOMER.lastName, email],
  )
  await vi.waitUntil(async () => (await accountOf(first.userId)).contact !== null, 60_000)
  await linkTo(sql, first, id)
  const second = await testApp.signedUp(email)
  expect(second.linked).toBe(false)
  expect(await accountOf(first.userId)).toMatchObject({ contact: id })
})

it('links a contact that the mirror does not have yet', async () => {
  const freshOrg = await newOrg()
  const unpolledApp = await boot({
    environment: { ...freshOrg.environment, CRM_POLL_SECONDS: '3600' },
  })
  const email = newEmail()
  const id = await freshOrg.staff('add-contact', { LastName: 'Alvarez', Email: email })
  const { userId } = await unpolledApp.signedUp(email)
  expect(await freshOrg.rows('Contact', { Portal_User_Id__c: userId })).toMatchObject([{ Id: id }])
  expect(await freshOrg.rows('Contact', { Email: email })).toHaveLength(1)
  await expect.poll(() => linkOf(unpolledApp.sql, userId)).toEqual({ contact: id, linked: true })
})

describe("a provider's contact that the mirror does not have yet", async () => {
  const freshOrg = await newOrg()
  const unpolledApp = await boot({
    environment: { ...freshOrg.environment, CRM_POLL_SECONDS: '3600' },
  })

  const WRITE = 'PATCH /composite/sobjects'
  const fieldsOf = async (id: string) => {
    const [contact] = await freshOrg.rows('Contact', { Id: id })
    const { Portal_User_Id__c: _, SystemModstamp: __, LastModifiedDate: ___, ...fields } = contact!
    return fields
  }
  const providersContact = async (email: string) => {
    const id = await freshOrg.staff('add-contact', {
      FirstName: 'Maria del Carmen',
      LastName: NEWCOMER.lastName,
      Email: email.toUpperCase(),
      Phone: '(202) 555-0100',
      MailingState: 'Oregon',
    })
    return { id, before: await fieldsOf(id) }
  }
  const account = async (userId: string) => {
    const { rows } = await unpolledApp.sql.query(
      `select (select contact_id from links where user_id = users.id and state = 'live') as contact,
         exists (select from links where user_id = users.id and state = 'live' and origin <> 'portal') as linked,
         (select count(*)::int from crm_outbox where user_id = users.id and sent_at is null) as unsent,
         array(select details ->> 'contact' from audit_events
           where event = 'account_linked' and subject_id = users.id) as audited
       from users where id = $1`,
      [userId],
    )
    return rows[0]
  }
  const sent = (userId: string) =>
    vi.waitUntil(async () => (await account(userId)).unsent === 0, { timeout: 60_000 })

  /** As if the worker were killed: the CRM executes the write, and no worker records it. */
  const killedBeforeCommit = async (
    email: string,
    meanwhile: (contactId: string) => Promise<unknown> = async () => {},
  ) => {
    await freshOrg.fault({ mode: 'hang', match: WRITE, times: 1 })
    const { userId } = await unpolledApp.signedUp(email)
    await freshOrg.waitForHeldCall()
    const setEntry = (values: string) =>
      unpolledApp.sql.query(`update crm_outbox set ${values} where user_id = $1`, [userId])
    await setEntry(`claim = null, claimed_until = null, retry_at = 'infinity'`)
    await freshOrg.fault({ mode: 'none' })
    const [contact] = await freshOrg.rows<Contact>('Contact', { Portal_User_Id__c: userId })
    await meanwhile(contact!.Id)
    await setEntry('retry_at = null')
    return userId
  }

  it('is linked and otherwise unchanged when the response to the link is lost', async () => {
    const email = newEmail()
    const { id, before } = await providersContact(email)
    await freshOrg.fault({ mode: 'lost', match: WRITE, times: 1 })
    const { userId } = await unpolledApp.signedUp(email)
    await sent(userId)
    expect(await fieldsOf(id)).toEqual(before)
    expect(await account(userId)).toMatchObject({ contact: id, linked: true, audited: [id] })
    expect(await freshOrg.rows('Contact', { Portal_User_Id__c: userId })).toMatchObject([
      { Id: id },
    ])
  })

  it('is linked and otherwise unchanged when the worker is killed before it stores the link', async () => {
    const email = newEmail()
    const { id, before } = await providersContact(email)
    const userId = await killedBeforeCommit(email)
    await sent(userId)
    expect(await fieldsOf(id)).toEqual(before)
    expect(await account(userId)).toMatchObject({ contact: id, linked: true, audited: [id] })
  })

  it('is linked once when two workers send it at the same time', async () => {
    const email = newEmail()
    const { id, before } = await providersContact(email)
    await unpolledApp.startWorker()
    await freshOrg.fault({ mode: 'hang', match: WRITE, times: 1 })
    const { userId } = await unpolledApp.signedUp(email)
    await freshOrg.waitForHeldCall()
    // The claim of the first worker expires, so the other one sends the entry too.
    await unpolledApp.sql.query(
      'update crm_outbox set claimed_until = now() where user_id = $1 and sent_at is null',
      [userId],
    )
    await sent(userId)
    await freshOrg.fault({ mode: 'none' })
    await expect
      .poll(async () => {
        const { rows } = await unpolledApp.sql.query(
          'select from crm_outbox where claim is not null',
        )
        return rows
      })
      .toEqual([])
    expect(await fieldsOf(id)).toEqual(before)
    expect(await account(userId)).toMatchObject({ contact: id, linked: true, audited: [id] })
  })

  it('is replaced by a new contact when it is deleted before the retry', async () => {
    const email = newEmail()
    const { id } = await providersContact(email)
    const userId = await killedBeforeCommit(email, () => freshOrg.staff('delete-row', { id }))
    await sent(userId)
    const [made, ...more] = await freshOrg.rows<Contact>('Contact', { Portal_User_Id__c: userId })
    expect(more).toEqual([])
    expect(await account(userId)).toMatchObject({ contact: made!.Id, linked: false, audited: [] })
  })

  it('is distinguished from a contact that the portal made, which a retry neither links nor overwrites', async () => {
    const change = { FirstName: 'Mary', Email: newEmail() }
    const userId = await killedBeforeCommit(newEmail(), (contactId) =>
      freshOrg.staff('edit-contact', { contactId, ...change }),
    )
    await sent(userId)
    const [made] = await freshOrg.rows<Contact>('Contact', { Portal_User_Id__c: userId })
    expect(made).toMatchObject(change)
    expect(await account(userId)).toMatchObject({ contact: made!.Id, linked: false, audited: [] })
  })

  it('is unlinked when the operator unlinks the account and the response of the CRM is lost', async () => {
    const email = newEmail()
    const { id, before } = await providersContact(email)
    const { userId } = await unpolledApp.signedUp(email)
    await sent(userId)
    await freshOrg.fault({ mode: 'lost', match: 'PATCH /services/data/v64.0/sobjects', times: 1 })
    expect(await unpolledApp.admin.accounts.unlink(email)).toBe(true)
    await sent(userId)
    expect(await fieldsOf(id)).toEqual(before)
    const [made, ...more] = await freshOrg.rows<Contact>('Contact', { Portal_User_Id__c: userId })
    expect(more).toEqual([])
    expect(made!.Id).not.toBe(id)
    expect(await account(userId)).toMatchObject({ contact: made!.Id, linked: false, audited: [id] })
  })

  it('is not overwritten when staff link it to another account while it has the id of the first', async () => {
    const email = newEmail()
    const { id, before } = await providersContact(email)
    const { userId } = await unpolledApp.signedUp(email)
    await sent(userId)
    const other = await unpolledApp.signedUp()
    await sent(other.userId)
    // As if the portal had never stored the link, and staff had linked the contact to the other account.
    await unlinked(unpolledApp.sql, userId)
    await linkTo(unpolledApp.sql, other, id)
    await unpolledApp.sql.query(
      `insert into crm_outbox (user_id, kind, entity_id) values ($1, 'contact', $1)`,
      [userId],
    )
    await sent(userId)
    expect(await fieldsOf(id)).toEqual(before)
    const [made, ...more] = await freshOrg.rows<Contact>('Contact', { Portal_User_Id__c: userId })
    expect(more).toEqual([])
    expect(made!.Id).not.toBe(id)
  })

  it('stays unchanged when staff link the account to another contact meanwhile', async () => {
    const email = newEmail()
    const { id, before } = await providersContact(email)
    const chosen = await freshOrg.staff('add-contact', { LastName: 'Chosen' })
    const chosenBefore = await fieldsOf(chosen)
    await freshOrg.fault({ mode: 'hang', match: WRITE, times: 1 })
    const { userId } = await unpolledApp.signedUp(email)
    await freshOrg.waitForHeldCall()
    // The same writes as the Edit User dialog, during the request to the CRM.
    await linkTo(unpolledApp.sql, { userId }, chosen, { origin: 'staff' })
    await unpolledApp.sql.query(
      `insert into crm_outbox (user_id, kind, entity_id) values ($1, 'contact', $1)`,
      [userId],
    )
    await freshOrg.fault({ mode: 'none' })
    await sent(userId)
    expect(await account(userId)).toMatchObject({ contact: chosen, linked: true, audited: [] })
    expect(await freshOrg.rows('Contact', { Portal_User_Id__c: userId })).toMatchObject([
      { Id: chosen },
    ])
    expect(await fieldsOf(id)).toEqual(before)
    expect(await fieldsOf(chosen)).toEqual(chosenBefore)
  })
})

it('makes one contact when an account is sent to the CRM twice', async () => {
  const { userId, email } = await testApp.signedUp()
  await contactsWithUserId(userId)
  await sql.query('update crm_outbox set sent_at = null where user_id = $1', [userId])
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

it('makes no contact for staff', async () => {
  const staff = await testApp.account('STAFF')
  await testApp.signedIn(staff)
  const { rows } = await sql.query(
    'select kind from crm_outbox join users on users.id = user_id where email = $1',
    [staff.email],
  )
  expect(rows).toEqual([])
})
