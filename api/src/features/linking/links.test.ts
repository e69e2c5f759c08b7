// More than 300 lines in one file: each test file starts its own application, and these tests share one.
import { randomUUID } from 'node:crypto'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth } from '@guidon/contract/auth'
import { getClaims } from '@guidon/contract/claims'
import { getDocuments } from '@guidon/contract/documents'
import {
  decideLink,
  getLinkToConfirm,
  linkGone,
  listLinksToConfirm,
  notMeVoid,
  reportNotMe,
} from '@guidon/contract/links'
import type { LinkQuestion } from '@guidon/contract/links'
import { updateUser } from '@guidon/contract/manage-users'
import { getUserInfo } from '@guidon/contract/profile'
import { NEWCOMER } from '@guidon/tests/boot'
import { newBox } from '@guidon/tests/box'
import { databaseAt } from '@guidon/tests/databases'
import { listOf, newFile, send, WAIT_OPTIONS } from '@guidon/tests/documents'
import { linkOf, linkTo, quietLinks } from '@guidon/tests/links'
import { mailbox } from '@guidon/tests/mailbox'
import { newOrg } from '@guidon/tests/org'
import { bootWithStaff } from '@guidon/tests/staff'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'
import { storeRows } from '../../crm/mirror/store-rows.ts'
import type { ContactRow } from '../../crm/port.ts'
import { createLog } from '../../platform/log.ts'
import { checkLinks } from './check-links.ts'

const [org, box] = await Promise.all([newOrg(), newBox()])
const { testApp, staff, staffAccount, newAccount, eventsOf } = await bootWithStaff({
  ...org.environment,
  ...box.environment,
  CRM_POLL_SECONDS: '1',
})
const colleague = await testApp.withSession(await testApp.account('STAFF'))
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 1)

const newEmail = () => `${randomUUID()}@example.com`
const contactOf = async (userId: string) => (await linkOf(sql, userId)).contact
const addContact = (fields = {}) =>
  org.staff('add-contact', { LastName: 'Survivor', Email: newEmail(), ...fields })
const merge = (contactId: string, loserId: string) =>
  org.staff('merge-contacts', { contactId, loserId })
const addAppointment = (contactId: string, date = '2031-05-06') =>
  org.staff('add-appointment', { contactId, date, time: '09:30', clinicName: 'La Jolla' })
const mirrored = async (table: string, id: string) => {
  await expect
    .poll(
      async () => (await sql.query(`select from ${table} where id = $1`, [id])).rowCount,
      WAIT_OPTIONS,
    )
    .toBe(1)
}
const datesOf = async (client: TestClient) =>
  (await client.call(getAppointments, {})).body.map(
    ({ appointmentDateText }) => appointmentDateText,
  )

/** A veteran whom the provider does not know: the portal has made the contact. */
async function newcomer(email = newEmail()) {
  const signedUp = await testApp.signedUp(email)
  await expect.poll(() => contactOf(signedUp.userId), WAIT_OPTIONS).not.toBeNull()
  return { ...signedUp, email, contactId: (await contactOf(signedUp.userId))! }
}

const questionsAbout = async (userId: string) => {
  const { rows } = await sql.query<{ id: string; question: LinkQuestion; contact: string }>(
    `select id, question, contact_id as contact from links
     where user_id = $1 and question is not null order by asked_at`,
    [userId],
  )
  return rows
}
const asked = async (userId: string) => {
  await expect.poll(async () => (await questionsAbout(userId)).length, WAIT_OPTIONS).toBe(1)
  return (await questionsAbout(userId))[0]!
}
const decide = (id: string, decision: 'confirm' | 'refuse') =>
  staff.call(decideLink, { params: { id }, body: { decision, reason: 'Called the veteran.' } })
const subjectsTo = async (email: string, words: string) =>
  (await mailbox.mailsTo(email, { waitMs: 0 })).filter(({ subject }) => subject.includes(words))
    .length
const expectEmail = async (email: string, words: string, times = 1) => {
  await expect.poll(() => subjectsTo(email, words), WAIT_OPTIONS).toBe(times)
}
const LINKED = 'account shows your records'
const UNLINKED = 'no longer shows the records'
const MOVED = 'Some records left'

describe('an account follows its contact when staff merge it', () => {
  it('into the only one with its email and name; it is audited, and the veteran gets an email', async () => {
    const { client, userId, email, contactId } = await newcomer()
    await addAppointment(contactId)
    const survivor = await addContact({ Email: email, LastName: NEWCOMER.lastName })
    await merge(survivor, contactId)
    await expect
      .poll(() => linkOf(sql, userId), WAIT_OPTIONS)
      .toEqual({ contact: survivor, linked: true })
    await expect.poll(() => datesOf(client), WAIT_OPTIONS).toEqual(['2031-05-06'])
    expect(await eventsOf(userId, 'account_linked')).toEqual([
      { actor: null, details: { contact: survivor, origin: 'merge', before: contactId } },
    ])
    await expectEmail(email, LINKED)
    await expect
      .poll(
        async () =>
          (await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })).map(
            ({ Id }) => Id,
          ),
        WAIT_OPTIONS,
      )
      .toEqual([survivor])
  })

  it('through a chain of merges', async () => {
    const { userId, email, contactId } = await newcomer()
    const own = { Email: email, LastName: NEWCOMER.lastName }
    const [second, last] = [await addContact(own), await addContact(own)]
    await org.fault({ mode: '500' })
    await merge(second, contactId)
    await merge(last, second)
    await org.fault({ mode: 'none' })
    await expect.poll(() => contactOf(userId), WAIT_OPTIONS).toBe(last)
  })
})

describe('a stranger with the name and phone of a veteran', () => {
  /** A veteran without an account, and a stranger who signs up with the veteran's name and phone. */
  async function strangerAndVeteran() {
    const stranger = await newcomer()
    const veteran = await addContact({
      FirstName: NEWCOMER.firstName,
      LastName: NEWCOMER.lastName,
      Phone: NEWCOMER.phone,
      MailingStreet: '12 Elm Street',
    })
    await addAppointment(veteran)
    await org.staff('add-claim', { contactId: veteran, title: 'PTSD claim', stage: 'Case Review' })
    await org.staff('request-document', { contactId: veteran, name: 'Nexus letter', type: 'Other' })
    await expect
      .poll(
        async () =>
          (await sql.query('select from crm_document where contact_id = $1', [veteran])).rowCount,
        WAIT_OPTIONS,
      )
      .toBe(1)
    return { ...stranger, veteran }
  }
  const seenBy = async (client: TestClient) => ({
    street: (await client.call(getUserInfo, {})).body.street,
    appointments: await datesOf(client),
    claims: (await client.call(getClaims, {})).body.length,
    documents: (await client.call(getDocuments, {})).body.length,
  })
  const nothing = { street: null, appointments: [], claims: 0, documents: 0 }

  it.each([
    ["into the veteran's contact", 'differs'],
    ["into the stranger's contact", 'merged'],
  ] as const)(
    'sees nothing when staff merge the two %s, until they confirm',
    async (how, question) => {
      const { client, userId, email, contactId, veteran } = await strangerAndVeteran()
      const master = question === 'differs' ? veteran : contactId
      await merge(master, master === veteran ? contactId : veteran)
      expect(await asked(userId)).toMatchObject({ question, contact: master })
      // Records that staff add afterwards are the veteran's, too.
      await mirrored('crm_appointment', await addAppointment(master, '2031-06-07'))
      expect(await seenBy(client)).toEqual(nothing)
      expect(await subjectsTo(email, LINKED)).toBe(0)

      const { id } = await asked(userId)
      const { body } = await staff.call(getLinkToConfirm, { params: { id } })
      expect(body).toMatchObject({ question, obstacle: null })
      expect(body.compared.filter(({ same }) => !same).map(({ field }) => field)).toContain(
        how.includes('veteran') ? 'email' : 'boxFolder',
      )
      expect((await decide(id, 'confirm')).status).toBe(204)
      await expect.poll(() => datesOf(client), WAIT_OPTIONS).toEqual(['2031-05-06', '2031-06-07'])
      expect(await seenBy(client)).toMatchObject({ claims: 1, documents: 1 })
      await expectEmail(email, LINKED)
      expect(await eventsOf(userId, 'account_linked')).toMatchObject([
        { actor: staffAccount.id, details: { contact: master } },
      ])
      const { rows } = await sql.query(
        `select decided_by, decision, decision_reason from links where user_id = $1 and state = 'live'`,
        [userId],
      )
      expect(rows).toEqual([
        {
          decided_by: staffAccount.id,
          decision: 'confirmed',
          decision_reason: 'Called the veteran.',
        },
      ])
    },
  )

  it('gets a contact of their own, and still sees nothing, when staff refuse', async () => {
    const { client, userId, contactId, veteran } = await strangerAndVeteran()
    await merge(contactId, veteran)
    const { id } = await asked(userId)
    expect((await decide(id, 'refuse')).status).toBe(204)
    await expect.poll(() => contactOf(userId), WAIT_OPTIONS).not.toBe(contactId)
    await expect.poll(() => contactOf(userId), WAIT_OPTIONS).not.toBeNull()
    expect(await seenBy(client)).toEqual(nothing)
    expect(await decide(id, 'confirm')).toMatchObject({
      status: 409,
      body: { code: linkGone.code },
    })
  })
})

describe('an account keeps what it has, and staff are asked,', () => {
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
          { links: quietLinks, stages: [], log: createLog('silent', 'test') },
          'contact',
          rows,
        ),
      )
  const unknownContact = () => `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
  const linked = async () => {
    const account = await newAccount()
    const contactId = unknownContact()
    await linkTo(sql, account, contactId)
    return { ...account, userId: account.id, contactId }
  }

  it('once the mirror has the surviving contact', async () => {
    const { userId, contactId } = await linked()
    const survivor = unknownContact()
    await store(merged(contactId, survivor))
    expect(await questionsAbout(userId)).toEqual([])
    await store(row(survivor))
    expect(await questionsAbout(userId)).toMatchObject([{ question: 'differs', contact: survivor }])
    expect(await contactOf(userId)).toBe(contactId)
  })

  it('if the surviving contact has another account', async () => {
    const [first, second] = [await linked(), await linked()]
    await store(row(second.contactId), merged(first.contactId, second.contactId))
    expect(await questionsAbout(first.userId)).toMatchObject([{ question: 'contactGone' }])
    expect(await questionsAbout(second.userId)).toMatchObject([{ question: 'merged' }])
    expect(await contactOf(first.userId)).toBe(first.contactId)
    expect(await contactOf(second.userId)).toBe(second.contactId)
  })

  it('if two contacts of accounts were merged into a third one', async () => {
    const [first, second] = [await linked(), await linked()]
    const survivor = unknownContact()
    await store(
      row(survivor),
      merged(first.contactId, survivor),
      merged(second.contactId, survivor),
    )
    for (const { userId, contactId } of [first, second]) {
      expect(await contactOf(userId)).toBe(contactId)
      expect(await questionsAbout(userId)).toMatchObject([{ contact: survivor }])
    }
  })

  it('if a contact that they were asked about is merged into that of the account', async () => {
    const { userId, email, contactId } = await linked()
    const other = unknownContact()
    await db.transaction().execute(async (tx) => {
      await quietLinks.ask(tx, { userId, contactId: other, origin: 'staff' }, 'differs')
    })
    const own = { ...row(contactId), email, lastName: 'Whitfield' }
    await store(own, row(other))
    await store(own, merged(other, contactId))
    expect(await questionsAbout(userId)).toMatchObject([{ question: 'merged', contact: contactId }])
    const { rows } = await sql.query(
      `select state, origin from links where user_id = $1 order by created_at`,
      [userId],
    )
    expect(rows).toEqual([
      { state: 'live', origin: 'signUp' },
      { state: 'ended', origin: 'staff' },
    ])
  })

  it('if the surviving contact is that of an erased account', async () => {
    const { userId, email, contactId } = await linked()
    const survivor = unknownContact()
    await sql.query('insert into erasures (user_id, contact_id) values ($1, $2)', [
      randomUUID(),
      survivor,
    ])
    await store({ ...row(survivor), email, lastName: 'Whitfield' }, merged(contactId, survivor))
    expect(await contactOf(userId)).toBe(contactId)
    expect(await questionsAbout(userId)).toHaveLength(1)
  })
})

describe('a record that staff move to the contact of another account', () => {
  it('leaves the one at once, and is shown to the other only once staff confirm; both get an email', async () => {
    const [loser, winner] = [await newcomer(), await newcomer()]
    const id = await addAppointment(loser.contactId)
    await expect.poll(() => datesOf(loser.client), WAIT_OPTIONS).toEqual(['2031-05-06'])
    await org.staff('change-row', { id, Veteran__c: winner.contactId })
    const question = await asked(winner.userId)
    expect(question.question).toBe('moved')
    expect(await datesOf(loser.client)).toEqual([])
    expect(await datesOf(winner.client)).toEqual([])
    await expectEmail(loser.email, MOVED)
    expect(await eventsOf(loser.userId, 'records_moved')).toEqual([
      { actor: null, details: { from: loser.contactId, to: winner.contactId, count: 1 } },
    ])
    await decide(question.id, 'confirm')
    expect(await datesOf(winner.client)).toEqual(['2031-05-06'])
    await expectEmail(winner.email, LINKED)
  })
})

describe('staff who enter a Salesforce ID', () => {
  it('of somebody else do not show the account anything, until somebody confirms', async () => {
    const { client, userId } = await newcomer()
    const other = await addContact()
    await addAppointment(other)
    await mirrored('crm_contact', other)
    const { body } = await staff.call(updateUser, {
      params: { id: userId },
      body: { salesforceId: other },
    })
    expect(body.salesforceId).not.toBe(other)
    expect(await asked(userId)).toMatchObject({ question: 'differs', contact: other })
    expect(await datesOf(client)).toEqual([])
  })

  it('must have signed in a moment ago to confirm', async () => {
    const { userId } = await newcomer()
    const other = await addContact()
    await mirrored('crm_contact', other)
    await staff.call(updateUser, { params: { id: userId }, body: { salesforceId: other } })
    const { id } = await asked(userId)
    const late = await newAccount('STAFF')
    const client = await testApp.withSession(late)
    await sql.query(
      `update sessions set created_at = now() - interval '6 minutes' where user_id = $1`,
      [late.id],
    )
    const body = { decision: 'confirm', reason: 'Called the veteran.' } as const
    expect(await client.call(decideLink, { params: { id }, body })).toMatchObject({
      status: 409,
      body: { code: 'sign_in_again' },
    })
    expect((await questionsAbout(userId)).map((one) => one.id)).toEqual([id])
  })
})

describe('a veteran whose contact is deleted', () => {
  it('keeps the list of documents; what waits is sent once staff link another contact', async () => {
    const { client, userId, email, contactId } = await newcomer()
    const [early, late] = [newFile(), newFile()]
    const statusOf = async (name: string) =>
      (await listOf(client)).find((one) => one.name === name)?.status
    await send(client, early)
    await expect.poll(() => statusOf(early.name), WAIT_OPTIONS).toBe('inRecords')
    const inCrm = async () =>
      (await org.rows<{ Name: string; Veteran__c: string }>('Document_Request__c', {})).filter(
        ({ Name }) => [early.name, late.name].includes(Name),
      )
    await expect.poll(async () => (await inCrm()).length, WAIT_OPTIONS).toBe(1)
    await org.staff('delete-row', { id: contactId })
    expect(await asked(userId)).toMatchObject({ question: 'contactGone', contact: contactId })
    await send(client, late)
    await expect
      .poll(
        async () =>
          (
            await sql.query(
              'select from documents where user_id = $1 and box_file_id is not null',
              [userId],
            )
          ).rowCount,
        WAIT_OPTIONS,
      )
      .toBe(2)
    expect(await statusOf(late.name)).toBe('delayed')
    expect(await statusOf(early.name)).toBe('delayed')
    const right = await addContact({ Email: email, LastName: NEWCOMER.lastName })
    await mirrored('crm_contact', right)
    const { body } = await staff.call(updateUser, {
      params: { id: userId },
      body: { salesforceId: right },
    })
    expect(body.salesforceId).toBe(right)
    await expect
      .poll(
        async () => (await inCrm()).filter((one) => one.Veteran__c === right).length,
        WAIT_OPTIONS,
      )
      .toBe(2)
    await expect.poll(() => statusOf(late.name), WAIT_OPTIONS).toBe('inRecords')
    expect(await questionsAbout(userId)).toEqual([])
  })
})

describe('"This was not me" in the email about a link', () => {
  const tokenTo = async (email: string) => {
    await expectEmail(email, LINKED)
    const mail = (await mailbox.mailsTo(email)).find(({ subject }) => subject.includes(LINKED))!
    return /not-me#([\w.-]+)/.exec(mail.text)![1]!
  }

  it('signs out, hides the records, and asks staff; once they confirm, the records are shown again', async () => {
    const email = newEmail()
    const contactId = await addContact({ Email: email, LastName: NEWCOMER.lastName })
    await addAppointment(contactId)
    await mirrored('crm_contact', contactId)
    const { client, userId, linked } = await testApp.signedUp(email)
    expect(linked).toBe(true)
    const token = await tokenTo(email)
    for (const session of [() => client, () => testApp.withSession({ email })]) {
      const signedIn = await session()
      expect((await testApp.newClient().call(reportNotMe, { body: { token } })).status).toBe(204)
      expect((await signedIn.call(checkAuth, {})).status).toBe(401)
    }
    const question = await asked(userId)
    expect(question).toMatchObject({ question: 'notMe' })
    const again = await testApp.withSession({ email })
    expect(await datesOf(again)).toEqual([])
    expect((await staff.call(listLinksToConfirm, {})).body.links).toContainEqual(
      expect.objectContaining({ id: question.id, accountEmail: email }),
    )
    // Of a colleague, only an administrator sees it.
    await sql.query(`update users set role = 'STAFF' where id = $1`, [userId])
    const { links, total } = (await colleague.call(listLinksToConfirm, {})).body
    expect(links.map(({ id }) => id)).not.toContain(question.id)
    expect(total).toBe(links.length)
    await sql.query(`update users set role = 'USER' where id = $1`, [userId])
    await decide(question.id, 'confirm')
    await expect.poll(() => datesOf(again), WAIT_OPTIONS).toEqual(['2031-05-06'])
    await expectEmail(email, LINKED, 2)
  })

  it('is void if it is forged, and once the link has ended', async () => {
    const email = newEmail()
    const contactId = await addContact({ Email: email, LastName: NEWCOMER.lastName })
    await mirrored('crm_contact', contactId)
    const { userId } = await testApp.signedUp(email)
    const token = await tokenTo(email)
    const report = (given: string) =>
      testApp.newClient().call(reportNotMe, { body: { token: given } })
    const refused = { status: 422, body: { code: notMeVoid.code } }
    expect(await report(`${randomUUID()}${token.slice(36)}`)).toMatchObject(refused)
    expect(await testApp.admin.accounts.unlink(email)).toBe(true)
    await expectEmail(email, UNLINKED)
    expect(await report(token)).toMatchObject(refused)
    expect(await questionsAbout(userId)).toEqual([])
  })
})

it('each night, staff are asked about links that the rule would not make today', async () => {
  const email = newEmail()
  const contactId = await addContact({ Email: email, LastName: NEWCOMER.lastName })
  await addAppointment(contactId)
  await mirrored('crm_contact', contactId)
  const { client, userId } = await testApp.signedUp(email)
  await org.staff('edit-contact', { contactId, Email: newEmail() })
  await expect
    .poll(
      async () =>
        (
          await sql.query('select from crm_contact where id = $1 and email = $2', [
            contactId,
            email,
          ])
        ).rowCount,
      WAIT_OPTIONS,
    )
    .toBe(0)
  await testApp.send(checkLinks, {})
  const question = await asked(userId)
  expect(question).toMatchObject({ question: 'ruleChanged' })
  await expect.poll(() => datesOf(client), WAIT_OPTIONS).toEqual(['2031-05-06'])
  // For the owner nothing changes.
  await decide(question.id, 'confirm')
  expect(await testApp.admin.accounts.unlink(email)).toBe(true)
  await expectEmail(email, UNLINKED)
  await expectEmail(email, LINKED)
})
