import type { Connection } from '@jsforce/jsforce-node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { salesforceControl } from './client.ts'
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

const base = '/services/data/v64.0'

interface Part {
  httpStatusCode: number
  referenceId: string
  body: unknown
}

async function composite(compositeRequest: unknown[], allOrNone = false): Promise<Part[]> {
  const body = { compositeRequest, allOrNone }
  const options = { method: 'POST', body } as const
  const result = await request<{ compositeResponse: Part[] }>(connection, '/composite', options)
  return result.compositeResponse
}

const contact = (referenceId: string, row: unknown) => ({
  method: 'PATCH',
  url: `${base}/sobjects/Contact/Portal_User_Id__c/${referenceId}`,
  referenceId,
  body: row,
})
const query = (referenceId: string, soql: string) => ({
  method: 'GET',
  // Encoding the whole query would encode the braces of a reference.
  url: `${base}/query?q=${soql.replaceAll(' ', '+')}`,
  referenceId,
})
const count = async () => (await connection.query('SELECT COUNT() FROM Contact')).totalSize

it('handles its parts in order, and a part can refer to an earlier response', async () => {
  const parts = await composite([
    contact('veteran', { LastName: 'Whitfield' }),
    {
      method: 'POST',
      url: `${base}/sobjects/Document_Request__c`,
      referenceId: 'requested',
      body: { Veteran__c: '@{veteran.id}', Name: 'DD 214' },
    },
    query(
      'found',
      "SELECT Id, Veteran__r.LastName FROM Document_Request__c WHERE Id = '@{requested.id}'",
    ),
    {
      method: 'GET',
      url: `${base}/sobjects/Document_Request__c/@{found.records[0].Id}`,
      referenceId: 'read',
    },
  ])
  expect(parts.map(({ httpStatusCode }) => httpStatusCode)).toEqual([201, 201, 200, 200])
  expect(parts[2]!.body).toMatchObject({ records: [{ Veteran__r: { LastName: 'Whitfield' } }] })
  expect(parts[3]).toMatchObject({ referenceId: 'read', body: { Name: 'DD 214' } })
})

it('continues after a failed part, and halts only the parts that refer to it', async () => {
  const parts = await composite([
    contact('broken', { FirstName: 'James' }),
    contact('whole', { LastName: 'Alvarez' }),
    { method: 'GET', url: `${base}/sobjects/Contact/@{broken.id}`, referenceId: 'halted' },
  ])
  expect(parts).toMatchObject([
    { httpStatusCode: 400, body: [{ errorCode: 'REQUIRED_FIELD_MISSING' }] },
    { httpStatusCode: 201 },
    { httpStatusCode: 400, body: [{ errorCode: 'PROCESSING_HALTED' }] },
  ])
  expect(await count()).toBe(1)
})

it('with allOrNone, reverts all parts if one fails', async () => {
  await composite([contact('first', { LastName: 'Before' })])
  const parts = await composite(
    [
      contact('first', { LastName: 'After' }),
      contact('second', {}),
      contact('third', { LastName: 'x' }),
    ],
    true,
  )
  expect(parts.map(({ body }) => body)).toMatchObject([
    [{ errorCode: 'PROCESSING_HALTED' }],
    [{ errorCode: 'REQUIRED_FIELD_MISSING' }],
    [{ errorCode: 'PROCESSING_HALTED' }],
  ])
  const { records } = await connection.query('SELECT LastName FROM Contact ORDER BY SystemModstamp')
  expect(records).toMatchObject([{ LastName: 'Before' }])
})

it('accepts at most 25 parts and five queries', async () => {
  const parts = (length: number) =>
    Array.from({ length }, (_, at) => contact(`part${at}`, { LastName: 'x' }))
  const queries = (length: number) =>
    Array.from({ length }, (_, at) => query(`query${at}`, 'SELECT COUNT() FROM Contact'))
  expect(await composite(parts(25))).toHaveLength(25)
  expect(await composite(queries(5))).toHaveLength(5)
  await expect(composite(parts(26))).rejects.toMatchObject({ errorCode: 'LIMIT_EXCEEDED' })
  await expect(composite(queries(6))).rejects.toMatchObject({ errorCode: 'LIMIT_EXCEEDED' })
})

it('counts as one call of the quota', async () => {
  await count()
  const before = connection.limitInfo.apiUsage!.used
  await composite([contact('one', { LastName: 'x' }), contact('two', { LastName: 'y' })])
  expect(connection.limitInfo.apiUsage!.used).toBe(before + 1)
})

it('counts as one call in the stats, which count its parts and the rows of its collections separately', async () => {
  const { stats } = salesforceControl(salesforce.url)
  const before = await stats()
  const records = ['a', 'b'].map((LastName) => ({ attributes: { type: 'Contact' }, LastName }))
  await composite([
    query('first', 'SELECT Id FROM Contact'),
    query('second', 'SELECT Id FROM User'),
    { method: 'POST', url: `${base}/composite/sobjects`, referenceId: 'rows', body: { records } },
  ])
  const after = await stats()
  expect(after.used - before.used).toBe(1)
  expect(after.calls.composite - before.calls.composite).toBe(1)
  expect(after.calls.query).toBe(before.calls.query)
  expect(after.parts).toMatchObject({ query: 2, collection: 1 })
  expect(after.records).toBe(2)
})
