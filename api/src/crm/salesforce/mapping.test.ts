import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countIn } from '@guidon/tests/crm/crm-setup'
import { sampleContact } from '@guidon/tests/crm/crm-write-suite'
import { salesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import type { SalesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CrmMismatch } from '../port.ts'
import { defaultMapping, OPTIONAL } from './default-mapping.ts'
import { readMapping } from './mapping.ts'

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
  return error instanceof CrmMismatch ? error.mismatches : [String(error)]
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
    [{ contact: null }, 'contact'],
    [{ claim: { fields: { stage: null } } }, 'claim.fields.stage'],
    [{ document: { values: { status: null } } }, 'document.values.status'],
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
  })

  it('is refused if an answer would have a field that cannot be empty, or cannot hold it', async () => {
    expect(
      await mismatchesOf({ intake: { fields: { retired: 'IsDeleted', deployments: 'Race__c' } } }),
    ).toEqual(
      expect.arrayContaining([
        'Intake__c.IsDeleted is a checkbox, which cannot be empty (intake.retired)',
        'Intake__c.Race__c holds only one value (intake.deployments)',
      ]),
    )
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
    await countIn(setup.crm, 'user')
    await setup.outage('500')
    await expect(setup.crm.verify()).rejects.toMatchObject({ name: 'CrmUnavailable' })
  })
})

describe('an optional field or object that the org lacks', () => {
  const optional = ['contact.boxFolderId', 'intake.race', 'documentCategory']
  const HIDDEN = ['Contact.Box_Folder_Id__c', 'Document_Category__mdt']

  it('is named, and left out by readers and writers', async () => {
    setup = await salesforceSetup({ optional })
    await setup.control.hide(HIDDEN)
    expect(await setup.crm.verify()).toEqual([
      "Contact has no field Box_Folder_Id__c (contact.boxFolderId), or the portal's user may not see it",
      'there is no object Document_Category__mdt (documentCategory)',
    ])
    const id = await setup.crm.upsertContact(sampleContact())
    expect((await setup.crm.veterans([id])).contacts[0]).toMatchObject({ id, boxFolderId: null })
    expect(setup.crm.readFields().documentCategory).toBeUndefined()
    expect(setup.crm.readFields().contact).not.toContain('boxFolderId: Box_Folder_Id__c')
  })

  it('is used again once the org has it', async () => {
    setup = await salesforceSetup({ optional })
    await setup.control.hide(HIDDEN)
    await setup.crm.verify()
    await setup.control.hide([])
    expect(await setup.crm.verify()).toEqual([])
    expect(setup.crm.readFields().documentCategory).toBeDefined()
    const id = await setup.crm.upsertContact(sampleContact())
    await setup.changeContact(id, { boxFolderId: '77' })
    expect((await setup.crm.veterans([id])).contacts[0]).toMatchObject({ boxFolderId: '77' })
  })

  it('does not hide a required one that is missing too', async () => {
    setup = await salesforceSetup({ optional })
    await setup.control.hide([...HIDDEN, 'Contact.Phone', 'Intake__c.Race__c'])
    await expect(setup.crm.verify()).rejects.toMatchObject({
      mismatches: [
        "Contact has no field Phone (contact.phone), or the portal's user may not see it",
      ],
    })
  })

  it('is listed in OPTIONAL only if the mapping has it', () => {
    const parts: Record<string, { fields: Record<string, string> } | undefined> = defaultMapping
    const isKnown = (name: string) => {
      const [part = '', field] = name.split('.')
      return field === undefined ? part in parts : field in (parts[part]?.fields ?? {})
    }
    expect(OPTIONAL.filter((name) => !isKnown(name))).toEqual([])
    expect(['documentCategory', 'intake.race', 'bill', 'intake.note'].map(isKnown)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('an org with State and Country picklists', () => {
  it.each(['California', 'CA'])('gets %s as a code with the country', async (state) => {
    setup = await salesforceSetup({ stateCodes: true })
    await setup.crm.verify()
    const id = await setup.crm.upsertContact({ ...sampleContact(), state })
    expect(await setup.control.rows('Contact')).toMatchObject([
      { MailingStateCode: 'CA', MailingState: 'California', MailingCountryCode: 'US' },
    ])
    expect((await setup.crm.veterans([id])).contacts[0]).toMatchObject({ state: 'California' })
  })

  it('gets no country without a state', async () => {
    setup = await salesforceSetup({ stateCodes: true })
    await setup.crm.verify()
    await setup.crm.upsertContact({ ...sampleContact(), state: null })
    expect(await setup.control.rows('Contact')).toMatchObject([
      { MailingStateCode: null, MailingCountryCode: null },
    ])
  })

  it('keeps the field that a mapping file names', async () => {
    const mapping = read({ contact: { fields: { state: 'MobilePhone' } } })
    setup = await salesforceSetup({ stateCodes: true, mapping })
    await setup.crm.verify()
    await setup.crm.upsertContact({ ...sampleContact(), state: 'CA' })
    expect(await setup.control.rows('Contact')).toMatchObject([
      { MobilePhone: 'CA', MailingStateCode: null, MailingCountryCode: null },
    ])
  })
})
