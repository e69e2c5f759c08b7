import { replaceDocument, uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { getTodo, TODO_KINDS, TODO_MAX } from '@guidon/contract/todo'
import { bootWithCases, day } from '@guidon/tests/case-rows'
import { newName, newPdf } from '@guidon/tests/documents'
import { linkTo, unlinked } from '@guidon/tests/links'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'

const { testApp, sql, veteran, crmDocument, ownDocument, upload, appointment } =
  await bootWithCases()

const todoOf = async (client: TestClient) => (await client.call(getTodo, {})).body
const itemsOf = async (client: TestClient) => (await todoOf(client)).items
const idsOf = async (client: TestClient) => (await itemsOf(client)).map(({ id }) => id)

const AT = new Date('2026-11-01T10:00:00.400Z')
const SAME_SECOND = new Date('2026-11-01T10:00:00Z')
const BEFORE = new Date('2026-11-01T09:59:59Z')
const file = { box_file_id: '1200', last_uploaded_at: SAME_SECOND }
const unusable = { ...file, status: 'notUsable', status_reason: 'Page 2 is missing' }

it('is empty if there is nothing to do', async () => {
  const { client } = await veteran()
  expect(await itemsOf(client)).toEqual([])
})

describe('requested documents', () => {
  it('are listed with due date and reason: overdue ones first, then by due date, then those without', async () => {
    const { client, contactId } = await veteran()
    const add = (due_date: string | null, row = {}) => crmDocument(contactId, { due_date, ...row })
    const without = await add(null)
    const later = await add(day(30))
    const today = await add(day(0), { name: 'DD214', reason: 'VA asks for it' })
    const overdue = await add(day(-1))
    const longOverdue = await add(day(-9))
    expect(await idsOf(client)).toEqual([longOverdue, overdue, today, later, without])
    const items = await itemsOf(client)
    const [overdueKind, requestedKind] = TODO_KINDS
    const kinds = [overdueKind, overdueKind, requestedKind, requestedKind, requestedKind]
    expect(items.map(({ kind }) => kind)).toEqual(kinds)
    expect(items[2]).toEqual({
      kind: 'requestedDocument',
      id: today,
      subject: 'DD214',
      due: day(0),
      why: 'VA asks for it',
    })
  })

  it('are left out once they have a file, are answered, or are deleted in the CRM', async () => {
    const { client, contactId, userId } = await veteran()
    await crmDocument(contactId, file)
    await crmDocument(contactId, { deleted: true })
    await ownDocument(userId, { crm_id: await crmDocument(contactId) })
    expect(await idsOf(client)).toEqual([])
  })

  it('are left out as soon as the veteran uploads them', async () => {
    const { client, contactId } = await veteran()
    const documentId = await crmDocument(contactId)
    expect(await idsOf(client)).toEqual([documentId])
    const fields = { documentType: 'Letter', documentId }
    const sent = await client.upload(
      uploadDocument,
      { name: newName(), bytes: newPdf() },
      { fields },
    )
    expect(sent.status).toBe(201)
    expect(await idsOf(client)).toEqual([])
  })

  it('are left out once staff have reviewed a paper that came by another way', async () => {
    const { client, contactId } = await veteran()
    await crmDocument(contactId, { status: 'reviewed' })
    const reopened = await crmDocument(contactId, { status: 'received' })
    expect(await idsOf(client)).toEqual([reopened])
  })

  it('say why a file that staff removed could not be used', async () => {
    const { client, contactId } = await veteran()
    await crmDocument(contactId, {
      status: 'notUsable',
      status_reason: 'Blurred',
      reason: 'Needed',
    })
    expect(await itemsOf(client)).toMatchObject([{ kind: 'requestedDocument', why: 'Blurred' }])
  })

  it('of another veteran are never listed', async () => {
    const [one, other] = [await veteran(), await veteran()]
    await crmDocument(other.contactId, { due_date: day(1) })
    await crmDocument(other.contactId, unusable)
    await appointment(other.contactId)
    const own = await ownDocument(other.userId)
    await upload(other.userId, own, { refused_at: AT })
    expect(await itemsOf(one.client)).toEqual([])
    expect(await itemsOf(other.client)).toHaveLength(4)
  })
})

describe('a document that staff cannot use', () => {
  it('is listed with the reason, under the id of the list of documents', async () => {
    const { client, contactId, userId } = await veteran()
    const onlyInCrm = await crmDocument(contactId, unusable)
    const crmId = await crmDocument(contactId, { ...unusable, due_date: day(3) })
    const own = await ownDocument(userId, {
      crm_id: crmId,
      uploaded_at: AT,
      request_name: 'Decision letter',
    })
    expect(await itemsOf(client)).toMatchObject([
      { kind: 'unusableDocument', id: own, subject: 'Decision letter', due: day(3) },
      { kind: 'unusableDocument', id: onlyInCrm, why: 'Page 2 is missing', due: null },
    ])
  })

  it('is left out once the veteran has sent a newer file', async () => {
    const { client, contactId, userId } = await veteran()
    const crmId = await crmDocument(contactId, { ...unusable, last_uploaded_at: BEFORE })
    await ownDocument(userId, { crm_id: crmId, uploaded_at: AT })
    expect(await itemsOf(client)).toEqual([])
  })

  it('is left out once the veteran has replaced a file that was only in the CRM', async () => {
    const { client, contactId } = await veteran()
    await crmDocument(contactId, { ...unusable, box_file_id: '1300', name: newName() })
    expect(await itemsOf(client)).toHaveLength(1)
    const version = { name: newName(), bytes: newPdf() }
    const sent = await client.upload(replaceDocument, version, { params: { id: '1300' } })
    expect(sent.status).toBe(200)
    expect(await itemsOf(client)).toEqual([])
  })

  it('is left out if it was deleted', async () => {
    const { client, contactId } = await veteran()
    await crmDocument(contactId, { ...unusable, deleted: true })
    expect(await itemsOf(client)).toEqual([])
  })
})

describe('an upload that failed', () => {
  it('is listed if the file store refused the newest file', async () => {
    const { client, userId } = await veteran()
    const id = await ownDocument(userId, { name: 'scan.pdf' })
    await upload(userId, id, { refused_at: AT })
    expect(await itemsOf(client)).toEqual([
      { kind: 'failedUpload', id, subject: 'scan.pdf', due: null, why: null },
    ])
  })

  it('is left out while a newer file waits, and once it is stored', async () => {
    const { client, userId } = await veteran()
    const waiting = await ownDocument(userId)
    await upload(userId, waiting, { refused_at: AT })
    await upload(userId, waiting)
    await upload(userId, await ownDocument(userId), { refused_at: AT, stored_at: AT })
    expect(await itemsOf(client)).toEqual([])
  })
})

describe('the intake', () => {
  it('is listed until it is submitted', async () => {
    const account = await testApp.account()
    const client = await testApp.withSession(account)
    expect(await itemsOf(client)).toEqual([
      { kind: 'intake', id: expect.any(String), subject: null, due: null, why: null },
    ])
    await client.call(saveIntake, { body: { city: 'Reno' } })
    expect(await itemsOf(client)).toHaveLength(1)
    await client.call(saveIntake, { body: { submit: true } })
    expect(await itemsOf(client)).toEqual([])
  })
})

describe('an appointment', () => {
  it('is listed from seven days before until its day has ended everywhere in the US', async () => {
    const { client, contactId } = await veteran()
    const add = (fromToday: number, row = {}) =>
      appointment(contactId, { date: day(fromToday), ...row })
    const week = await add(7)
    const afternoon = await add(0, { time: '14:00' })
    const morning = await add(0, { time: '09:00', clinic_name: 'Bay Clinic' })
    await add(8)
    await add(-1)
    await add(1, { scheduled: false })
    await add(1, { deleted: true })
    expect(await idsOf(client)).toEqual([morning, afternoon, week])
    expect((await itemsOf(client))[0]).toEqual({
      kind: 'appointment',
      id: morning,
      subject: 'Bay Clinic',
      due: day(0),
      why: null,
    })
  })
})

it('the items are in the order of their kinds', async () => {
  const { client, contactId, userId } = await veteran()
  await linkTo(sql, { userId }, contactId, { origin: 'portal' })
  await appointment(contactId)
  await upload(userId, await ownDocument(userId), { refused_at: AT })
  await crmDocument(contactId, unusable)
  await crmDocument(contactId)
  await crmDocument(contactId, { due_date: day(-1) })
  expect((await itemsOf(client)).map(({ kind }) => kind)).toEqual(TODO_KINDS)
})

it('lists the most urgent items of ten thousand', async () => {
  const { client, contactId, userId } = await veteran()
  await sql.query(
    `insert into crm_document (id, modified_at, deleted, contact_id, name, due_date, status, box_file_id,
       last_uploaded_at)
     select 'a01many' || n, now(), false, $1, 'Document ' || n, $2::date + n,
       case when n % 2 = 0 then 'notUsable' end, case when n % 2 = 0 then n::text end, now()
     from generate_series(1, 10000) as n`,
    [contactId, day(0)],
  )
  await sql.query(
    `insert into documents (user_id, name, type, size, sha256, crm_id, uploaded_at)
     select $1, n || '.pdf', 'Letter', 1, '', 'a01many' || n, now() - interval '1 hour'
     from generate_series(2, 2000, 2) as n`,
    [userId],
  )
  await sql.query('analyze')
  const items = await itemsOf(client)
  expect(items).toHaveLength(TODO_MAX)
  expect(items.slice(0, 2)).toMatchObject([{ due: day(1) }, { due: day(3) }])
})

it('checkedAt is when the mirror last read documents and appointments, or now for a veteran without a contact', async () => {
  const { client, userId } = await veteran()
  await testApp.stopWorkers()
  await sql.query(
    `update crm_sync_cursor set completed_at = case kind when 'document' then $1::timestamptz else now() end`,
    [AT],
  )
  expect((await todoOf(client)).checkedAt).toBe(AT.toISOString())
  await unlinked(sql, userId)
  const age = Date.now() - Date.parse((await todoOf(client)).checkedAt)
  expect(Math.abs(age)).toBeLessThan(60_000)
})
