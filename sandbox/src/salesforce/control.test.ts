import type { Connection } from '@jsforce/jsforce-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { salesforceControl } from './client.ts'
import type { SalesforceControl } from './client.ts'
import { startSalesforce } from './salesforce.ts'
import type { Salesforce } from './salesforce.ts'
import { connect } from './testing.ts'

let salesforce: Salesforce
let connection: Connection
let contactId: string
let control: SalesforceControl

beforeEach(async () => {
  salesforce = await startSalesforce()
  connection = await connect(salesforce.url)
  control = salesforceControl(salesforce.url)
  contactId = salesforce.load('Contact', [{ FirstName: 'James', LastName: 'Whitfield' }])[0]!
})
afterEach(() => salesforce.close())

const post = (action: string, fields: unknown) =>
  fetch(`${salesforce.url}/staff/${action}`, { method: 'POST', body: JSON.stringify(fields) })

const first = async (soql: string) => (await connection.query(soql)).records[0]!
const stamp = async (object: string, id: string) =>
  String((await first(`SELECT SystemModstamp FROM ${object} WHERE Id = '${id}'`))['SystemModstamp'])

describe('the provider’s staff', () => {
  it('assign and remove a case manager', async () => {
    const before = await stamp('Contact', contactId)
    const userId = await control.staff('add-user', {
      FirstName: 'Ana',
      LastName: 'Ruiz',
      Email: 'ana@guidon.example',
    })
    await control.staff('assign-case-manager', { contactId, userId })
    const query = 'SELECT Case_Manager__r.Name FROM Contact'
    expect(await first(query)).toMatchObject({ Case_Manager__r: { Name: 'Ana Ruiz' } })
    expect((await stamp('Contact', contactId)) > before).toBe(true)
    await control.staff('assign-case-manager', { contactId, userId: null })
    expect(await first(query)).toMatchObject({ Case_Manager__r: null })
  })

  it('add, move and cancel an appointment, each with a later timestamp', async () => {
    const appointmentId = await control.staff('add-appointment', {
      contactId,
      date: '2026-12-01',
      time: '09:30',
      clinicName: 'Austin Clinic',
      clinicPhone: '5125550100',
    })
    const read = () =>
      first(
        `SELECT Appointment_Date__c, Appointment_Time__c, Clinic_Name__c, Status__c, SystemModstamp
         FROM Appointment__c WHERE Veteran__c = '${contactId}'`,
      )
    const added = await read()
    expect(added).toMatchObject({ Appointment_Time__c: '09:30:00.000Z', Status__c: 'Scheduled' })
    await control.staff('change-appointment', { appointmentId, date: '2026-12-02' })
    const moved = await read()
    expect(moved).toMatchObject({
      Appointment_Date__c: '2026-12-02',
      Clinic_Name__c: 'Austin Clinic',
    })
    await control.staff('cancel-appointment', { appointmentId })
    const canceled = await read()
    expect(canceled).toMatchObject({ Status__c: 'Canceled' })
    const stamps = [added, moved, canceled].map((row) => String(row['SystemModstamp']))
    expect(stamps).toEqual([...new Set(stamps)].toSorted())
  })

  it('request a document, edit a contact and delete rows', async () => {
    const id = await control.staff('request-document', {
      contactId,
      name: 'Discharge',
      type: 'DD Form 214',
    })
    expect(await first('SELECT Name, Box_File_Id__c FROM Document_Request__c')).toMatchObject({
      Name: 'Discharge',
      Box_File_Id__c: null,
    })
    await control.staff('edit-contact', { contactId, Phone: '2025550101' })
    expect(await first('SELECT Phone FROM Contact')).toMatchObject({ Phone: '2025550101' })
    await control.staff('delete-row', { id })
    expect(await connection.query('SELECT Id FROM Document_Request__c')).toMatchObject({
      totalSize: 0,
    })
  })

  it('add a claim, move it to a stage with a reason, and close it', async () => {
    const since = '2026-11-02T09:00:00.000Z'
    const claimId = await control.staff('add-claim', { contactId, title: 'Knee', stage: 'Intake' })
    const read = () => first('SELECT Name, Stage__c, Stage_Reason__c, Closed__c FROM Claim__c')
    expect(await read()).toMatchObject({ Name: 'Knee', Stage__c: 'Intake', Closed__c: false })
    await control.staff('change-claim', {
      claimId,
      stage: 'An own stage',
      since,
      reason: 'Records are missing',
      closed: true,
    })
    expect(await read()).toMatchObject({
      Stage__c: 'An own stage',
      Stage_Reason__c: 'Records are missing',
      Closed__c: true,
    })
  })

  it('request a document with a last day and a reason, and say that a file is not usable', async () => {
    const documentId = await control.staff('request-document', {
      contactId,
      type: 'Other',
      dueDate: '2026-12-03',
      reason: 'It shows your service',
    })
    const read = () =>
      first('SELECT Due_Date__c, Reason__c, Status__c, Status_Reason__c FROM Document_Request__c')
    expect(await read()).toMatchObject({
      Due_Date__c: '2026-12-03',
      Reason__c: 'It shows your service',
      Status__c: null,
    })
    const change = { documentId, status: 'Not usable', statusReason: 'Page 2 is missing' }
    await control.staff('change-document', change)
    expect(await read()).toMatchObject({
      Status__c: 'Not usable',
      Status_Reason__c: 'Page 2 is missing',
    })
    const wrong = await post('change-document', { documentId, status: 'Lost' })
    expect(await wrong.json()).toMatchObject([
      { errorCode: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST' },
    ])
  })

  it('merge a contact into another one, which then has its appointments', async () => {
    const [loserId] = salesforce.load('Contact', [{ LastName: 'Whitfeld', Phone: '2025550101' }])
    const appointmentId = await control.staff('add-appointment', {
      contactId: loserId,
      date: '2026-12-01',
      time: '09:30',
    })
    const before = await stamp('Appointment__c', appointmentId)
    const survivorBefore = await stamp('Contact', contactId)
    await control.staff('merge-contacts', { contactId, loserId })
    expect(await connection.query('SELECT Id FROM Contact')).toMatchObject({ totalSize: 1 })
    const all = await connection.query(
      `SELECT IsDeleted, MasterRecordId, Phone FROM Contact WHERE Id IN ('${loserId}', '${contactId}')
       ORDER BY IsDeleted`,
      { scanAll: true },
    )
    expect(all.records).toMatchObject([
      { IsDeleted: false, MasterRecordId: null, Phone: null },
      { IsDeleted: true, MasterRecordId: contactId, Phone: '2025550101' },
    ])
    expect(await first('SELECT Veteran__c FROM Appointment__c')).toMatchObject({
      Veteran__c: contactId,
    })
    expect((await stamp('Appointment__c', appointmentId)) > before).toBe(true)
    expect((await stamp('Contact', contactId)) > survivorBefore).toBe(true)
    const update = connection.sobject('Contact').update({ Id: loserId!, Phone: '2025550102' })
    await expect(update).rejects.toMatchObject({ errorCode: 'ENTITY_IS_DELETED' })
  })

  it('get the reason when an action is refused', async () => {
    const wrong: [string, unknown, string][] = [
      ['add-appointment', { contactId, date: 'soon' }, 'JSON_PARSER_ERROR'],
      ['edit-contact', { contactId, Shoe_Size__c: 9 }, 'INVALID_FIELD'],
      ['delete-row', { id: 'nonsense' }, 'NOT_FOUND'],
      ['merge-contacts', { contactId, loserId: contactId }, 'INVALID_OPERATION'],
      ['merge-contacts', { contactId, loserId: 'nonsense' }, 'NOT_FOUND'],
    ]
    for (const [action, fields, errorCode] of wrong) {
      const response = await post(action, fields)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject([{ errorCode }])
    }
  })
})

describe('the control client', () => {
  it('waits until a row is written', async () => {
    const waiting = control.rows('Contact', { Portal_User_Id__c: 'u-7' })
    await connection.sobject('Contact').create({ LastName: 'Other', Portal_User_Id__c: 'u-8' })
    await connection.sobject('Contact').create({ LastName: 'Awaited', Portal_User_Id__c: 'u-7' })
    expect(await waiting).toMatchObject([{ LastName: 'Awaited' }])
    expect(await control.rows('Contact', { Portal_User_Id__c: 'u-9' }, 10)).toEqual([])
  })

  it('sets the number of calls made today', async () => {
    await control.setUsed(80_000)
    await connection.query('SELECT Id FROM Contact')
    expect(connection.limitInfo.apiUsage).toEqual({ used: 80_001, limit: 100_000 })
    expect(await control.stats()).toMatchObject({ used: 80_001, calls: { token: 1, query: 1 } })
  })

  it('resets everything but the staff and the categories', async () => {
    await control.fault({ mode: 'quota' })
    await control.reset()
    expect(await connection.query('SELECT Id FROM Contact')).toMatchObject({ totalSize: 0 })
    expect(await connection.query('SELECT Id FROM User')).toMatchObject({ totalSize: 2 })
    const categories = await connection.query('SELECT Id FROM Document_Category__mdt')
    expect(categories).toMatchObject({ totalSize: 6 })
    expect(connection.limitInfo.apiUsage).toMatchObject({ used: 3 })
  })
})

describe('the page', () => {
  const page = async (path: string) => (await fetch(salesforce.url + path)).text()
  const submit = (action: string, fields: Record<string, string>) =>
    fetch(`${salesforce.url}/staff/${action}`, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    })

  it('finds a contact and names the sandbox', async () => {
    salesforce.load('Contact', [{ LastName: 'Alvarez' }])
    const found = await page('/?q=whit')
    expect(found).toContain('Sandbox Salesforce — development and tests only')
    expect(found).toContain(`<a href="/contacts/${contactId}">James Whitfield</a>`)
    expect(found).not.toContain('Alvarez')
  })

  it('submits a form and returns to the contact', async () => {
    const fields = {
      contactId,
      date: '2026-12-01',
      time: '14:00',
      clinicName: 'Reno',
      clinicPhone: '',
    }
    const response = await submit('add-appointment', fields)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/contacts/${contactId}`)
    expect(await page(`/contacts/${contactId}`)).toContain('value="2026-12-01"')
    await submit('request-document', { contactId, name: '', type: 'Buddy statement' })
    expect(await page(`/contacts/${contactId}`)).toContain('<td>Buddy statement</td>')
    const [loserId] = salesforce.load('Contact', [{ LastName: 'Whitfeld' }])
    expect((await submit('merge-contacts', { contactId, loserId: loserId! })).status).toBe(303)
    expect(await page('/?q=whitfeld')).toContain('0 contacts')
    expect((await submit('delete-row', { contactId, id: contactId })).headers.get('location')).toBe(
      '/',
    )
  })

  it('adds and changes a claim, and changes the status of a document', async () => {
    const claim = { contactId, title: 'Knee', stage: 'Case Review', since: '2026-11-02T09:00' }
    expect((await submit('add-claim', { ...claim, reason: '', nextStep: '' })).status).toBe(303)
    expect(await page(`/contacts/${contactId}`)).toContain('value="2026-11-02T09:00"')
    const [row] = await control.rows<{ Id: string }>('Claim__c')
    await submit('change-claim', { contactId, claimId: row!.Id, stage: 'Intake', closed: 'yes' })
    expect(await control.rows('Claim__c', { Stage__c: 'Intake', Closed__c: 'true' })).toHaveLength(
      1,
    )
    await submit('request-document', { contactId, name: '', type: 'Other', dueDate: '2026-12-03' })
    const [requested] = await control.rows<{ Id: string }>('Document_Request__c')
    const change = { contactId, documentId: requested!.Id, dueDate: '', status: 'Reviewed' }
    expect((await submit('change-document', change)).status).toBe(303)
    expect(
      await control.rows('Document_Request__c', { Status__c: 'Reviewed', Due_Date__c: '' }),
    ).toHaveLength(1)
  })

  it('shows the error of a form, and hostile names as text', async () => {
    const refused = await submit('edit-contact', { contactId, LastName: '' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('role="alert">REQUIRED_FIELD_MISSING')
    await submit('edit-contact', { contactId, LastName: `"><script>alert('x')</script>` })
    for (const path of ['/', `/contacts/${contactId}`]) {
      expect(await page(path)).not.toContain('<script>alert')
    }
    expect((await fetch(`${salesforce.url}/contacts/nobody`)).status).toBe(404)
  })

  it('gives every field its own id and a label', async () => {
    await control.staff('add-claim', { contactId, stage: 'Intake' })
    await control.staff('request-document', { contactId, type: 'Other' })
    const shown = await page(`/contacts/${contactId}`)
    const ids = [...shown.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => id!)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(shown).toContain(`<label for="${id}">`)
  })
})
