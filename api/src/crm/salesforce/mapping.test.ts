import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newClient } from '../../../test/crm/crm-write-suite.ts'
import { salesforceSetup } from '../../../test/crm/salesforce-setup.ts'
import type { SalesforceSetup } from '../../../test/crm/salesforce-setup.ts'
import { defaultMapping } from './default-mapping.ts'
import { readMapping } from './mapping.ts'
import { MappingMismatch } from './verify.ts'

let folder: string
let testApp: SalesforceSetup | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mapping-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await testApp?.close()
  testApp = undefined
})

function read(content: unknown) {
  const file = join(folder, 'mapping.json')
  writeFileSync(file, JSON.stringify(content))
  return readMapping(file)
}

async function mismatchesOf(content: unknown): Promise<readonly string[]> {
  testApp = await salesforceSetup({ mapping: read(content) })
  const error: unknown = await testApp.crm.verify().catch((reason: unknown) => reason)
  return error instanceof MappingMismatch ? error.mismatches : [String(error)]
}

describe('a mapping file', () => {
  it('says only what differs', () => {
    expect(readMapping()).toEqual(defaultMapping)
    expect(read({})).toEqual(defaultMapping)
    const mapping = read({
      contact: { fields: { phone: 'MobilePhone' } },
      contactRequest: { values: { method: { Call: 'Phone call' } } },
    })
    expect(mapping.contact).toEqual({
      object: 'Contact',
      fields: { ...defaultMapping.contact.fields, phone: 'MobilePhone' },
    })
    expect(mapping.contactRequest.values.method).toEqual({ Call: 'Phone call', Email: 'Email' })
    expect(mapping.intake).toEqual(defaultMapping.intake)
  })

  it.each([
    [{ contacts: {} }, 'contacts'],
    [{ contact: { fields: { fone: 'Phone' } } }, 'fone'],
    [{ contact: { object: 'Contact WHERE' } }, 'API name'],
    [{ contact: { fields: { phone: 'Phone, Id' } } }, 'API name'],
    [{ contact: { fields: { phone: 7 } } }, 'contact.fields.phone'],
    [{ intake: { values: { gender: { Male: '' } } } }, 'intake.values.gender.Male'],
  ])('is refused with the place of the error: %j', (content, place) => {
    expect(() => read(content)).toThrow(place)
  })
})

describe('an org', () => {
  it('with other names is read and written by them', async () => {
    testApp = await salesforceSetup({
      mapping: read({
        contact: { fields: { phone: 'MobilePhone', city: 'MailingCountry' } },
        appointment: { values: { status: { scheduled: 'Completed' } } },
        contactRequest: { values: { method: { Call: 'Email', Email: 'Call' } } },
      }),
    })
    await testApp.crm.verify()
    const { userId } = newClient()
    const id = await testApp.crm.upsertContact({ ...newClient(userId), city: 'San Diego' })
    await testApp.addAppointment(id, { date: '2026-12-01', time: '10:30' })
    const request = { requestId: userId, userId, method: 'Call', requestedAt: new Date() } as const
    await testApp.crm.upsertContactRequest(request)
    expect(await testApp.control.rows('Contact')).toMatchObject([
      { MobilePhone: '6195550134', Phone: null, MailingCountry: 'San Diego', MailingCity: null },
    ])
    expect(await testApp.crm.veteran(id)).toMatchObject({
      contact: { phone: '6195550134', city: 'San Diego' },
      appointments: [{ scheduled: false }],
    })
    expect(await testApp.contactRequests()).toMatchObject([{ method: 'Email' }])
  })

  it('that was set up from our source has all that the portal names', async () => {
    testApp = await salesforceSetup()
    await testApp.crm.verify()
    expect(testApp.lines.filter(([line]) => typeof line === 'string')).toEqual([])
  })

  it('is told everything that it lacks, at once', async () => {
    const mismatches = await mismatchesOf({
      contact: { fields: { portalUserId: 'LastName', zip: 'Zip_Code__c', boxFolderId: 'Name' } },
      appointment: { values: { status: { scheduled: 'Booked' } } },
      document: { object: 'Paper__c' },
      intake: { fields: { race: 'Origin__c' }, values: { gender: { Male: 'M' } } },
    })
    expect(mismatches).toEqual([
      'Contact.LastName is not an external id',
      "Contact has no field Zip_Code__c (contact.zip), or the portal's user may not see it",
      "Contact.Name may not be written by the portal's user",
      "Appointment__c.Status__c has no value 'Booked'",
      'there is no object Paper__c (document)',
      "Intake__c.Gender__c has no value 'M'",
      "Intake__c has no field Origin__c (intake.race), or the portal's user may not see it",
    ])
    expect(new MappingMismatch(mismatches).message).toContain('\n- Contact.LastName is not an')
  })

  it('gets a warning where a text will not fit', async () => {
    testApp = await salesforceSetup({
      mapping: read({ contact: { fields: { street: 'MailingCity' } } }),
    })
    await testApp.crm.verify()
    expect(testApp.lines).toContainEqual([
      'Contact.MailingCity holds 40 characters, and the portal sends up to 255',
    ])
  })

  it('that does not answer is not taken for one that lacks something', async () => {
    testApp = await salesforceSetup()
    await testApp.crm.count('user')
    await testApp.outage('500')
    await expect(testApp.crm.verify()).rejects.toMatchObject({ name: 'CrmUnavailable' })
  })
})
