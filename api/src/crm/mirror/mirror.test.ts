import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getDocumentCategories, getDocuments } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'
import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import type { TestClient } from '@guidon/tests/test-client'
import { beforeAll, describe, expect, it, vi } from 'vitest'

const org = await newOrg({ resolution: 'seconds' })
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '1' } })

let contactId: string
let veteran: TestClient

const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }
const appointments = async () => (await veteran.call(getAppointments, {})).body
const documents = async () => (await veteran.call(getDocuments, {})).body
const caseManager = async () => (await veteran.call(getCaseManager, {})).body.caseManager
const userInfo = async () => (await veteran.call(getUserInfo, {})).body

beforeAll(async () => {
  const account = await testApp.account()
  contactId = await org.staff('add-contact', {
    FirstName: 'James',
    LastName: 'Whitfield',
    Email: account.email.toUpperCase(),
    MailingCity: 'San Diego',
  })
  await vi.waitUntil(
    async () => {
      const { rows } = await testApp.sql.query('select from crm_contact where id = $1', [contactId])
      return rows.length === 1
    },
    { timeout: 60_000 },
  )
  veteran = await testApp.signedIn(account)
})

describe('the dashboard', () => {
  it('shows the address of a contact linked by email and last name', async () => {
    expect(await userInfo()).toMatchObject({ city: 'San Diego', street: null })
    await org.staff('edit-contact', { contactId, MailingStreet: '12 Harbor Road' })
    await expect
      .poll(userInfo, WAIT_OPTIONS)
      .toMatchObject({ city: 'San Diego', street: '12 Harbor Road' })
  })

  it('shows the assigned case manager', async () => {
    expect(await caseManager()).toBeNull()
    const [manager] = await org.rows<{ Id: string; Name: string; Phone: string }>('User')
    await org.staff('assign-case-manager', { contactId, userId: manager!.Id })
    await expect
      .poll(caseManager, WAIT_OPTIONS)
      .toMatchObject({ name: manager!.Name, phone: manager!.Phone })
  })

  it('shows a case manager who has just joined the provider', async () => {
    const name = { FirstName: 'Nora', LastName: 'New' }
    const userId = await org.staff('add-user', { ...name, Email: 'nora@guidon.example' })
    await org.staff('assign-case-manager', { contactId, userId })
    await expect.poll(caseManager, WAIT_OPTIONS).toMatchObject({ name: 'Nora New' })
  })

  it('shows an appointment that is added, moved and cancelled, at the time that staff entered', async () => {
    const id = await org.staff('add-appointment', {
      contactId,
      date: '2030-03-10',
      time: '02:30',
      clinicName: 'Harbor Clinic',
      clinicPhone: '8005550177',
    })
    await expect.poll(appointments, WAIT_OPTIONS).toEqual([
      {
        id,
        appointmentDateText: '2030-03-10',
        appointmentTimeText: '02:30',
        clinicName: 'Harbor Clinic',
        clinicPhone: '8005550177',
      },
    ])
    await org.staff('change-appointment', { appointmentId: id, date: '2030-03-11', time: '16:00' })
    await expect
      .poll(appointments, WAIT_OPTIONS)
      .toMatchObject([{ appointmentDateText: '2030-03-11', appointmentTimeText: '16:00' }])
    await org.staff('cancel-appointment', { appointmentId: id })
    await expect.poll(appointments, WAIT_OPTIONS).toEqual([])
  })

  it('shows future appointments only, the soonest first', async () => {
    for (const [date, time] of [
      ['2031-01-02', '09:00'],
      ['2020-01-01', '09:00'],
      ['2031-01-01', '14:00'],
      ['2031-01-01', '08:30'],
    ]) {
      await org.staff('add-appointment', { contactId, date, time })
    }
    await expect
      .poll(
        async () =>
          (await appointments()).map(
            ({ appointmentDateText, appointmentTimeText }) =>
              `${appointmentDateText} ${appointmentTimeText}`,
          ),
        WAIT_OPTIONS,
      )
      .toEqual(['2031-01-01 08:30', '2031-01-01 14:00', '2031-01-02 09:00'])
  })

  it('shows a requested document until it is deleted in the CRM', async () => {
    const id = await org.staff('request-document', { contactId, type: 'DD Form 214' })
    await expect
      .poll(documents, WAIT_OPTIONS)
      .toMatchObject([{ id, type: 'DD Form 214', boxFileId: null }])
    await org.staff('delete-row', { object: 'Document_Request__c', id })
    await expect.poll(documents, WAIT_OPTIONS).toEqual([])
  })

  it('shows the document categories in their order, always ending with Other', async () => {
    const { body } = await veteran.call(getDocumentCategories, {})
    expect(body.length).toBeGreaterThan(3)
    expect(body.at(-1)).toBe('Other')
    expect(body.filter((name) => name === 'Other')).toHaveLength(1)
  })

  it('shows a second change within the same second', async () => {
    await org.staff('edit-contact', { contactId, MailingCity: 'Oceanside' })
    await org.staff('edit-contact', { contactId, MailingCity: 'Carlsbad' })
    await expect.poll(userInfo, WAIT_OPTIONS).toMatchObject({ city: 'Carlsbad' })
  })
})

describe('the mirror', () => {
  it('takes one call every interval, however many workers run', async () => {
    await Promise.all([testApp.startWorker(), testApp.startWorker()])
    const calls = async () => {
      const { composite, query, queryAll } = (await org.stats()).calls
      return { ticks: composite, singleQueries: query + queryAll }
    }
    const before = await calls()
    const started = Date.now()
    await expect
      .poll(async () => (await calls()).ticks - before.ticks, WAIT_OPTIONS)
      .toBeGreaterThanOrEqual(3)
    const seconds = Math.ceil((Date.now() - started) / 1000)
    const after = await calls()
    expect(after.ticks - before.ticks).toBeLessThanOrEqual(seconds + 1)
    expect(after.singleQueries).toBe(before.singleQueries)
  })

  it('reads thousands of rows with the same timestamp completely', async () => {
    const stamp = new Date(Date.now() + 5_000).toISOString()
    const rows = Array.from({ length: 4_500 }, (_, index) => ({
      LastName: `Bulk ${index}`,
      SystemModstamp: stamp,
    }))
    org.load('Contact', rows)
    await expect
      .poll(async () => {
        const { rows: found } = await testApp.sql.query<{ count: string }>(
          `select count(*) from crm_contact where last_name like 'Bulk %'`,
        )
        return Number(found[0]!.count)
      }, WAIT_OPTIONS)
      .toBe(4_500)
  })

  it('accepts text that PostgreSQL cannot store: NUL, a lone surrogate', async () => {
    const [id] = org.load('Contact', [{ LastName: 'Odd\u0000 \ud800name', MailingCity: '\u0000' }])
    org.load('Document_Request__c', [{ Veteran__c: id, Name: 'Letter\u0000' }])
    const mirrored = async (table: string, column: string, value: string) =>
      (await testApp.sql.query(`select * from ${table} where ${column} = $1`, [value])).rows
    await expect
      .poll(() => mirrored('crm_contact', 'id', id!), WAIT_OPTIONS)
      .toMatchObject([{ last_name: 'Odd \ufffdname', city: null }])
    await expect
      .poll(() => mirrored('crm_document', 'contact_id', id!), WAIT_OPTIONS)
      .toMatchObject([{ name: 'Letter' }])
  })
})
