import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTE_MAX } from '@guidon/contract/documents'
import { sampleContact } from '@guidon/tests/crm/crm-write-suite'
import { salesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import type { SalesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import { afterEach, describe, expect, it } from 'vitest'
import { readMapping } from './mapping.ts'

let setup: SalesforceSetup | undefined
afterEach(async () => {
  await setup?.close()
  setup = undefined
})

function read(content: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'mapping-'))
  try {
    const file = join(folder, 'mapping.json')
    writeFileSync(file, JSON.stringify(content))
    return readMapping(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('claims and the status of documents', () => {
  const STATUS = 'Document_Request__c.Status__c'

  it.each([
    ['the object', ['Claim__c'], 'there is no object Claim__c (claim)'],
    [
      'the field of the stage',
      ['Claim__c.Stage__c'],
      "Claim__c has no field Stage__c (claim.stage), or the portal's user may not see it",
    ],
    [
      'the field of the contact',
      ['Claim__c.Veteran__c'],
      "Claim__c has no field Veteran__c (claim.contact), or the portal's user may not see it",
    ],
  ])('are optional: an org that lacks %s is read without claims', async (_, hidden, missing) => {
    setup = await salesforceSetup()
    const contactId = await setup.addContact({ lastName: 'Whitfield' })
    await setup.control.staff('add-claim', { contactId, stage: 'Intake' })
    await setup.control.hide(hidden)
    expect(await setup.crm.verify()).toEqual([missing])
    expect(setup.crm.readFields().claim).toBeUndefined()
    expect(await setup.crm.veterans([contactId])).toMatchObject({
      contacts: [{ id: contactId }],
      claims: [],
    })
    await setup.control.hide([])
    expect(await setup.crm.verify()).toEqual([])
    expect((await setup.crm.veterans([contactId])).claims).toMatchObject([{ stage: 'Intake' }])
  })

  it('do not prevent a refresh while the org refuses them and the check has not noticed', async () => {
    setup = await salesforceSetup()
    const contactId = await setup.addContact({ lastName: 'Whitfield' })
    await setup.crm.verify()
    await setup.control.hide(['Claim__c'])
    expect(await setup.crm.veterans([contactId])).toMatchObject({
      contacts: [{ id: contactId }],
      claims: [],
    })
  })

  it('are read without the fields that the org lacks', async () => {
    setup = await salesforceSetup()
    const contactId = await setup.addContact({ lastName: 'Whitfield' })
    await setup.control.staff('add-claim', { contactId, stage: 'Intake', nextStep: 'We call you' })
    const hidden = ['Stage_Since__c', 'Stage_Reason__c', 'Next_Step__c', 'Closed__c', 'Name']
    const ofDocuments = ['Due_Date__c', 'Reason__c', 'Status__c', 'Status_Reason__c', 'Note__c']
    await setup.control.hide([
      ...hidden.map((name) => `Claim__c.${name}`),
      ...ofDocuments.map((name) => `Document_Request__c.${name}`),
    ])
    expect(await setup.crm.verify()).toHaveLength(10)
    const claim = { stage: 'Intake', stageLabel: 'Intake', nextStep: null, title: null }
    expect(await setup.crm.veterans([contactId])).toMatchObject({ claims: [claim] })
  })

  it('are not missing if the mapping file says that there are none', async () => {
    const mapping = read({ claim: null, document: { fields: { status: null, dueDate: null } } })
    setup = await salesforceSetup({ mapping })
    await setup.control.hide(['Claim__c', STATUS, 'Document_Request__c.Due_Date__c'])
    expect(await setup.crm.verify()).toEqual([])
    expect(Object.keys(setup.crm.readFields())).not.toContain('claim')
  })

  it('are read without a status whose picklist has other values, and none is sent', async () => {
    const values = { status: { requested: 'Open', received: 'Received' } }
    setup = await salesforceSetup({ mapping: read({ document: { values } }) })
    expect(await setup.crm.verify()).toEqual([`${STATUS} has no value 'Open'`])
    const contact = sampleContact()
    const contactId = await setup.crm.upsertContact(contact)
    await setup.crm.upsertDocument({
      documentId: contact.userId,
      userId: contact.userId,
      name: 'Letter',
      type: 'Other',
      boxFileId: '7',
      uploadedAt: new Date(),
    })
    expect(await setup.control.rows('Document_Request__c')).toMatchObject([{ Status__c: null }])
    expect((await setup.crm.veterans([contactId])).documents).toMatchObject([{ status: null }])
  })

  it('have the labels of the stages in the CRM', async () => {
    setup = await salesforceSetup()
    const contactId = await setup.addContact({ lastName: 'Whitfield' })
    await setup.control.staff('add-claim', { contactId, stage: 'Case Review' })
    await setup.control.staff('add-claim', { contactId, stage: 'Board Appeal' })
    await setup.crm.verify()
    const { claims } = await setup.crm.veterans([contactId])
    expect(claims.map(({ stageLabel }) => stageLabel).toSorted()).toEqual([
      'Board Appeal',
      'Case review',
    ])
  })
})

describe('the note of a document', () => {
  const NOTE = 'Document_Request__c.Note__c'

  async function sendNote(note: string | null) {
    const contact = sampleContact()
    await setup!.crm.upsertContact(contact)
    await setup!.crm.upsertDocument({
      documentId: contact.userId,
      userId: contact.userId,
      name: 'Letter',
      type: 'Other',
      boxFileId: '7',
      uploadedAt: new Date(),
      note,
    })
    return setup!.control.rows('Document_Request__c')
  }

  it('is sent, and never read', async () => {
    setup = await salesforceSetup()
    expect(await setup.crm.verify()).toEqual([])
    const note = 'n'.repeat(NOTE_MAX)
    expect(await sendNote(note)).toMatchObject([{ Note__c: note, Status__c: 'Received' }])
    expect(setup.crm.readFields().document?.join()).not.toContain('Note__c')
  })

  it.each([
    [
      'lacks it',
      {},
      [NOTE],
      "Document_Request__c has no field Note__c (document.note), or the portal's user may not see it",
    ],
    [
      'has a shorter field',
      { note: 'Document_Type__c' },
      [],
      'Document_Request__c.Document_Type__c holds only 80 characters',
    ],
  ])('is left out if the org %s, and the rest is sent', async (_, fields, hidden, missing) => {
    setup = await salesforceSetup({ mapping: read({ document: { fields } }) })
    await setup.control.hide(hidden)
    expect(await setup.crm.verify()).toEqual([missing])
    expect(await sendNote('Page 3')).toMatchObject([
      { Box_File_Id__c: '7', Document_Type__c: 'Other', Status__c: 'Received' },
    ])
  })
})
