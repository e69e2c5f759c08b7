import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleContact } from '../../../test/crm/crm-write-suite.ts'
import { salesforceSetup } from '../../../test/crm/salesforce-setup.ts'
import type { SalesforceSetup } from '../../../test/crm/salesforce-setup.ts'
import { defaultMapping } from './default-mapping.ts'
import { readMapping } from './mapping.ts'
import { MappingMismatch } from './verify.ts'

let folder: string
let setup: SalesforceSetup | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mapping-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await setup?.close()
  setup = undefined
})

function read(content: unknown) {
  const file = join(folder, 'mapping.json')
  writeFileSync(file, JSON.stringify(content))
  return readMapping(file)
}

async function mismatchesOf(content: unknown): Promise<readonly string[]> {
  setup = await salesforceSetup({ mapping: read(content) })
  const error: unknown = await setup.crm.verify().catch((reason: unknown) => reason)
  return error instanceof MappingMismatch ? error.mismatches : [String(error)]
}

describe('a mapping file', () => {
  it('names only the differences', () => {
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
  ])('is refused with the location of the error: %j', (content, location) => {
    expect(() => read(content)).toThrow(location)
  })
})

describe('an org', () => {
  it('with other names is read and written with those names', async () => {
    setup = await salesforceSetup({
      mapping: read({
        contact: { fields: { phone: 'MobilePhone', city: 'MailingCountry' } },
        appointment: { values: { status: { scheduled: 'Completed' } } },
        contactRequest: { values: { method: { Call: 'Email', Email: 'Call' } } },
      }),
    })
    await setup.crm.verify()
    const { userId } = sampleContact()
    const id = await setup.crm.upsertContact({ ...sampleContact(userId), city: 'San Diego' })
    await setup.addAppointment(id, { date: '2026-12-01', time: '10:30' })
    const request = { requestId: userId, userId, method: 'Call', requestedAt: new Date() } as const
    await setup.crm.upsertContactRequest(request)
    expect(await setup.control.rows('Contact')).toMatchObject([
      { MobilePhone: '6195550134', Phone: null, MailingCountry: 'San Diego', MailingCity: null },
    ])
    expect(await setup.crm.veterans([id])).toMatchObject({
      contacts: [{ phone: '6195550134', city: 'San Diego' }],
      appointments: [{ scheduled: false }],
    })
    expect(await setup.contactRequests()).toMatchObject([{ method: 'Email' }])
  })

  it('deployed from our source has everything that the portal uses', async () => {
    setup = await salesforceSetup()
    await setup.crm.verify()
    expect(setup.lines.filter(([line]) => typeof line === 'string')).toEqual([])
  })

  it('is refused with a list of everything that it lacks', async () => {
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

  it('causes a warning if a text will not fit', async () => {
    setup = await salesforceSetup({
      mapping: read({ contact: { fields: { street: 'MailingCity' } } }),
    })
    await setup.crm.verify()
    expect(setup.lines).toContainEqual([
      'crm: Contact.MailingCity holds 40 characters, the portal sends up to 255',
    ])
  })

  it('that is unavailable is not reported as lacking something', async () => {
    setup = await salesforceSetup()
    await setup.crm.count('user')
    await setup.outage('500')
    await expect(setup.crm.verify()).rejects.toMatchObject({ name: 'CrmUnavailable' })
  })
})
