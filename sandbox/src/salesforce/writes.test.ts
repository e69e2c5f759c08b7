import type { Connection } from '@jsforce/jsforce-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSalesforce } from './salesforce.ts'
import type { Salesforce } from './salesforce.ts'
import { connect, request } from './testing.ts'

let salesforce: Salesforce
let connection: Connection

beforeEach(async () => {
  salesforce = await startSalesforce()
  connection = await connect(salesforce.url)
})
afterEach(() => salesforce.close())

const veteran = { LastName: 'Whitfield', FirstName: 'James', Email: 'james@example.com' }
const create = async (object: string, row: Record<string, unknown>) => {
  const result = await connection.sobject(object).create(row)
  return result.id!
}

describe('a row', () => {
  it('is created, read, updated and deleted', async () => {
    const contacts = connection.sobject('Contact')
    const id = await create('Contact', veteran)
    expect(id).toMatch(/^003[a-zA-Z0-9]{15}$/)
    const before = await contacts.retrieve(id)
    expect(before).toMatchObject({ ...veteran, Id: id, Name: 'James Whitfield', IsDeleted: false })
    expect(before['SystemModstamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
    await contacts.update({ Id: id, Phone: '2025550101' })
    const after = await contacts.retrieve(id.slice(0, 15))
    expect(after).toMatchObject({ Phone: '2025550101', LastName: 'Whitfield' })
    expect(String(after['SystemModstamp']) > String(before['SystemModstamp'])).toBe(true)
    await contacts.delete(id)
    await expect(contacts.update({ Id: id, Phone: '1' })).rejects.toMatchObject({
      errorCode: 'ENTITY_IS_DELETED',
    })
  })

  it('keeps dates, times of day and timestamps', async () => {
    const Veteran__c = await create('Contact', veteran)
    const id = await create('Appointment__c', {
      Veteran__c,
      Appointment_Date__c: '2026-11-01',
      Appointment_Time__c: '01:30',
    })
    const appointment = await connection.sobject('Appointment__c').retrieve(id)
    expect(appointment).toMatchObject({
      Appointment_Date__c: '2026-11-01',
      Appointment_Time__c: '01:30:00.000Z',
      Status__c: 'Scheduled',
    })
    expect(appointment['Name']).toMatch(/^APT-\d{7}$/)
    const contactRequest = await create('Contact_Request__c', {
      Veteran__c,
      Portal_Request_Id__c: 'r-1',
      Requested_At__c: '2026-11-01T01:30:00.250-05:00',
    })
    expect(await connection.sobject('Contact_Request__c').retrieve(contactRequest)).toMatchObject({
      Requested_At__c: '2026-11-01T06:30:00.250+0000',
    })
  })

  it.each([
    ['Contact', { FirstName: 'James' }, 'REQUIRED_FIELD_MISSING'],
    ['Contact', { ...veteran, Shoe_Size__c: 9 }, 'INVALID_FIELD'],
    ['Contact', { ...veteran, MailingCity: 'x'.repeat(41) }, 'STRING_TOO_LONG'],
    ['Contact', { ...veteran, Email: 'nonsense' }, 'INVALID_EMAIL_ADDRESS'],
    ['Contact', { ...veteran, Birthdate: '1980-02-30' }, 'JSON_PARSER_ERROR'],
    ['Contact', { ...veteran, Name: 'James' }, 'INVALID_FIELD_FOR_INSERT_UPDATE'],
    ['Contact', { ...veteran, Case_Manager__c: 'nobody' }, 'MALFORMED_ID'],
    [
      'Contact',
      { ...veteran, Preferred_Contact_Time__c: 'Midnight' },
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    ],
    [
      'Intake__c',
      { Portal_Intake_Id__c: 'i-1', Veteran__r: { Portal_User_Id__c: 'unknown' } },
      'INVALID_FIELD',
    ],
    [
      'Intake__c',
      { Portal_Intake_Id__c: 'i-1', Veteran__c: '0035g0000000000AAA' },
      'INVALID_CROSS_REFERENCE_KEY',
    ],
    ['Intake__c', { Portal_Intake_Id__c: 'i-1' }, 'REQUIRED_FIELD_MISSING'],
    ['User', { LastName: 'Reyes', Email: 'a@b.example' }, 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY'],
    ['Opportunity', { Name: 'x' }, 'NOT_FOUND'],
  ])('of %s with %o is refused as %s', async (object, row, errorCode) => {
    await expect(create(object, row)).rejects.toMatchObject({ errorCode })
  })

  it('is refused when another row has its key', async () => {
    await create('Contact', { ...veteran, Portal_User_Id__c: 'u-1' })
    await expect(create('Contact', { ...veteran, Portal_User_Id__c: 'U-1' })).rejects.toMatchObject(
      {
        errorCode: 'DUPLICATE_VALUE',
      },
    )
  })
})

describe('an upsert', () => {
  const key = '0198e8f0-0000-7000-8000-000000000001'
  const upsert = (row: Record<string, unknown>) =>
    request<{ id: string; created: boolean }>(
      connection,
      `/sobjects/Contact/Portal_User_Id__c/${key}`,
      {
        method: 'PATCH',
        body: row,
      },
    )

  it('creates the row once, and updates it afterwards', async () => {
    const first = await upsert(veteran)
    expect(first).toMatchObject({ created: true })
    expect(await upsert({ Phone: '2025550101' })).toMatchObject({ created: false, id: first.id })
    const again = await connection
      .sobject('Contact')
      .upsert({ Portal_User_Id__c: key, LastName: 'Whitfield' }, 'Portal_User_Id__c')
    expect(again).toMatchObject({ success: true, id: first.id })
    const { records } = await connection.query('SELECT Phone, Portal_User_Id__c FROM Contact')
    expect(records).toMatchObject([{ Phone: '2025550101', Portal_User_Id__c: key }])
  })

  it('responds with 201 and then with 200', async () => {
    const url = `${salesforce.url}/services/data/v64.0/sobjects/Contact/Portal_User_Id__c/${key}`
    const send = () =>
      fetch(url, {
        method: 'PATCH',
        body: JSON.stringify(veteran),
        headers: { authorization: `Bearer ${connection.accessToken}` },
      })
    expect((await send()).status).toBe(201)
    expect((await send()).status).toBe(200)
  })

  it('finds the parent by its key, and refuses a field that is not a key', async () => {
    await upsert(veteran)
    const intake = { Veteran__r: { Portal_User_Id__c: key }, Branch__c: 'Space Force' }
    await request(connection, '/sobjects/Intake__c/Portal_Intake_Id__c/i-1', {
      method: 'PATCH',
      body: intake,
    })
    const { records } = await connection.query(
      `SELECT Branch__c, Retired__c, Veteran__r.Name FROM Intake__c WHERE Veteran__r.Portal_User_Id__c = '${key}'`,
    )
    expect(records).toMatchObject([
      { Branch__c: 'Space Force', Retired__c: null, Veteran__r: { Name: 'James Whitfield' } },
    ])
    const wrong = request(connection, '/sobjects/Contact/Email/x', {
      method: 'PATCH',
      body: veteran,
    })
    await expect(wrong).rejects.toMatchObject({ errorCode: 'NOT_FOUND' })
  })

  it('accepts many rows at once, each with its own outcome', async () => {
    const outcomes = await request(connection, '/composite/sobjects/Contact/Portal_User_Id__c', {
      method: 'PATCH',
      body: {
        records: [
          { attributes: { type: 'Contact' }, Portal_User_Id__c: 'u-1', LastName: 'One' },
          { attributes: { type: 'Contact' }, Portal_User_Id__c: 'u-2' },
          { attributes: { type: 'Contact' }, Portal_User_Id__c: 'u-1', LastName: 'Uno' },
        ],
      },
    })
    expect(outcomes).toMatchObject([
      { success: true, created: true },
      { success: false, errors: [{ statusCode: 'REQUIRED_FIELD_MISSING' }] },
      { success: true, created: false },
    ])
    const { records } = await connection.query('SELECT LastName FROM Contact')
    expect(records).toMatchObject([{ LastName: 'Uno' }])
  })

  it('writes all rows or none with allOrNone', async () => {
    const send = (records: unknown[]) =>
      request(connection, '/composite/sobjects/Contact/Portal_User_Id__c', {
        method: 'PATCH',
        body: { allOrNone: true, records },
      })
    const outcomes = await send([
      { Portal_User_Id__c: 'u-1', LastName: 'One' },
      { Portal_User_Id__c: 'u-2' },
    ])
    expect(outcomes).toMatchObject([
      { success: false, errors: [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK' }] },
      { success: false },
    ])
    expect(await connection.query('SELECT COUNT() FROM Contact')).toMatchObject({ totalSize: 0 })
    await expect(send(Array.from({ length: 201 }, () => ({})))).rejects.toMatchObject({
      errorCode: 'EXCEEDED_ID_LIMIT',
    })
  })
})

describe('the timestamps of changes', () => {
  it('are all different, unless their resolution is a second, as in a real org', async () => {
    const stamps = async (one: Connection) => {
      const rows = Array.from({ length: 20 }, (_, at) => ({ LastName: `Number ${at}` }))
      await one.sobject('Contact').create(rows, { allOrNone: true })
      const { records } = await one.query<{ SystemModstamp: string }>(
        'SELECT SystemModstamp FROM Contact ORDER BY SystemModstamp, Id',
      )
      return records.map(({ SystemModstamp }) => SystemModstamp)
    }
    expect(new Set(await stamps(connection)).size).toBe(20)
    const coarse = await startSalesforce({ resolution: 'seconds' })
    try {
      const found = await stamps(await connect(coarse.url))
      expect(found).toHaveLength(20)
      expect(found.every((stamp) => stamp.endsWith('.000+0000'))).toBe(true)
      expect(new Set(found).size).toBeLessThan(20)
    } finally {
      await coarse.close()
    }
  })
})
