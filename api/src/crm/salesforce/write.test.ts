import { randomUUID } from 'node:crypto'
import { sampleContact } from '@guidon/tests/crm/crm-write-suite'
import { salesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import type { SalesforceSetup } from '@guidon/tests/crm/salesforce-setup'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CrmOperation, CrmResult } from '../port.ts'

let setup: SalesforceSetup
beforeEach(async () => {
  setup = await salesforceSetup()
})
afterEach(() => setup.close())

const at = new Date('2026-11-01T06:30:00.250Z')
const request = (userId: string): CrmOperation => ({
  kind: 'upsertContactRequest',
  request: { requestId: randomUUID(), userId, method: 'Call', requestedAt: at },
})
const search = (): CrmOperation => ({
  kind: 'findContacts',
  email: `${randomUUID()}@example.com`,
  userId: randomUUID(),
})
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
const countDidNotFit = (results: CrmResult[]) =>
  results.filter((result) => result === 'did-not-fit').length
const calls = async () => (await setup.spent()).calls

it('a thousand operations are one call', async () => {
  const { userId } = sampleContact()
  await setup.crm.upsertContact(sampleContact(userId))
  const before = await calls()
  const results = await setup.crm.send(times(1_000, () => request(userId)))
  expect(results.filter((result) => typeof result === 'object' && 'value' in result)).toHaveLength(
    1_000,
  )
  expect(await calls()).toBe(before + 1)
  expect(await setup.contactRequests()).toHaveLength(1_000)
})

it('what does not fit into five parts waits, the newest operations first', async () => {
  const { userId } = sampleContact()
  await setup.crm.upsertContact(sampleContact(userId))
  const results = await setup.crm.send([
    ...times(150, search),
    ...times(700, () => request(userId)),
    { kind: 'upsertContact', contact: sampleContact() },
  ])
  expect(countDidNotFit(results)).toBe(101)
  expect(results.indexOf('did-not-fit')).toBe(750)
  expect(await setup.contactRequests()).toHaveLength(600)
})

it('operations of every kind share one call', async () => {
  const { userId } = sampleContact()
  const contactId = await setup.crm.upsertContact(sampleContact(userId))
  const provided = await setup.addContact({ lastName: 'Moore', email: 'moore@example.com' })
  const crmId = await setup.requestDocument(contactId, { name: 'Letter', type: 'Other' })
  const other = randomUUID()
  const sent = { name: 'letter.pdf', type: 'Other', boxFileId: '42', uploadedAt: at }
  const before = await calls()
  const results = await setup.crm.send([
    { kind: 'findContacts', email: 'MOORE@example.com', userId: other },
    { kind: 'findBoxFolder', contactId },
    { kind: 'linkContact', contactId: provided, userId: other },
    { kind: 'upsertDocument', document: { documentId: randomUUID(), crmId, userId, ...sent } },
    { kind: 'setBoxFolder', contactId, boxFolderId: '77' },
    { kind: 'upsertContact', contact: sampleContact() },
    request(userId),
    {
      kind: 'upsertIntake',
      intake: { intakeId: randomUUID(), userId, answers: {}, submittedAt: at },
    },
  ])
  expect(results).toMatchObject([
    { value: [{ id: provided, portalUserId: null }] },
    { value: null },
    { value: provided },
    { value: crmId },
    { value: contactId },
    { value: expect.any(String) as string },
    { value: expect.any(String) as string },
    { value: expect.any(String) as string },
  ])
  expect(await calls()).toBe(before + 1)
  expect((await setup.crm.veterans([contactId])).contacts[0]).toMatchObject({ boxFolderId: '77' })
})

it('a refused record does not stop the others', async () => {
  const { userId } = sampleContact()
  await setup.crm.upsertContact(sampleContact(userId))
  const unknown = randomUUID()
  const results = await setup.crm.send([
    request(userId),
    request(unknown),
    { kind: 'setBoxFolder', contactId: '../Contact', boxFolderId: '1' },
    { kind: 'findBoxFolder', contactId: "' OR Name != '" },
    request(userId),
  ])
  const refused = { name: 'CrmRefused' }
  const stored = { value: expect.any(String) as string }
  expect(results).toMatchObject([stored, refused, refused, refused, stored])
  expect(await setup.contactRequests()).toHaveLength(2)
})

it('the same row is written once in a call', async () => {
  const { userId } = sampleContact()
  const contactId = await setup.crm.upsertContact(sampleContact(userId))
  const once = request(userId)
  expect(await setup.crm.send([once, once])).toMatchObject([{}, 'repeated'])
  const folder = (boxFolderId: string) => ({
    kind: 'setBoxFolder' as const,
    contactId,
    boxFolderId,
  })
  expect(await setup.crm.send([folder('1'), folder('2')])).toMatchObject([
    { value: contactId },
    'repeated',
  ])
})

it('documents whose requests were deleted take one more call together', async () => {
  const { userId } = sampleContact()
  const contactId = await setup.crm.upsertContact(sampleContact(userId))
  const sent = { name: 'letter.pdf', type: 'Other', boxFileId: '42', uploadedAt: at }
  const documents: CrmOperation[] = []
  for (let count = 0; count < 3; count += 1) {
    const crmId = await setup.requestDocument(contactId, { name: 'Letter', type: 'Other' })
    await setup.remove(crmId)
    const document = { documentId: randomUUID(), crmId, userId, ...sent }
    documents.push({ kind: 'upsertDocument', document })
  }
  const before = await calls()
  expect(await setup.crm.send(documents)).toMatchObject(
    documents.map(() => ({ value: expect.any(String) as string })),
  )
  expect(await calls()).toBe(before + 2)
})

it('an email that thousands of contacts have does not hide other contacts', async () => {
  const contacts = times(2_100, () => ({ LastName: 'Whitfield', Email: 'info@example.com' }))
  setup.load('Contact', contacts)
  const own = await setup.addContact({ lastName: 'Moore', email: 'moore@example.com' })
  const popular = { ...search(), email: 'info@example.com' } as CrmOperation
  const moore = { ...search(), email: 'moore@example.com' } as CrmOperation
  const [many, one] = await setup.crm.send([popular, moore])
  expect((many as { value: unknown[] }).value.length).toBeGreaterThan(1)
  expect(one).toMatchObject({ value: [{ id: own }] })
})
