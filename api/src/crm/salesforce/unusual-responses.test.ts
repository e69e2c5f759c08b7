// Longer than 300 lines, because all tests share the server that responds with anything.

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countIn } from '@guidon/tests/crm/crm-setup'
import type { CrmSetup } from '@guidon/tests/crm/crm-setup'
import { singleOperations } from '@guidon/tests/crm/single-operations'
import { afterEach, expect, it } from 'vitest'
import { defaultMapping } from './default-mapping.ts'
import { salesforceCrm } from './salesforce-crm.ts'

/** A response that the sandbox cannot produce. */
interface FakeResponse {
  status?: number
  type?: string
  body: unknown
  date?: string | false
  location?: string
}

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

async function org(
  respond: (url: string, body: string, headers: IncomingHttpHeaders) => FakeResponse,
): Promise<CrmSetup['crm']> {
  const server = createServer((request, response) => {
    let sent = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (sent += chunk))
    request.on('end', () => {
      const isToken = request.url === '/services/oauth2/token'
      const session = { access_token: 'x', instance_url: `http://${request.headers.host}` }
      const reply: FakeResponse = isToken
        ? { body: session }
        : respond(decodeURIComponent(request.url!), sent, request.headers)
      const { status = 200, type = 'application/json', body, date, location } = reply
      if (date === false) response.sendDate = false
      response.writeHead(status, {
        'content-type': type,
        ...(typeof date === 'string' ? { date } : {}),
        ...(location === undefined ? {} : { location }),
      })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const crm = salesforceCrm({
    loginUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'client',
    auth: { kind: 'client-credentials', clientSecret: 'secret' },
    mapping: defaultMapping,
    log: { debug() {}, warn() {}, error() {} },
  })
  close = async () => {
    await crm.close()
    server.closeAllConnections()
    server.close()
  }
  return { ...crm, ...singleOperations(crm) }
}

const start = { at: '1970-01-01T00:00:00.000Z', id: '' }
const user = (number: number) => ({
  Id: `0055g00000${String(number).padStart(5, '0')}AAA`,
  SystemModstamp: '2026-03-01T00:00:00.000+0000',
  Name: `Number ${number}`,
})

it('reads all parts of a result that Salesforce splits', async () => {
  const crm = await org((url) =>
    url.includes('/query/')
      ? { body: { totalSize: 3, done: true, records: [user(3)] } }
      : {
          body: {
            totalSize: 3,
            done: false,
            nextRecordsUrl: '/services/data/v64.0/query/0r8xx-2',
            records: [user(1), user(2)],
          },
        },
  )
  const page = await crm.changes('user', start)
  expect(page.rows.map(({ name }) => name)).toEqual(['Number 1', 'Number 2', 'Number 3'])
  expect(page.full).toBe(false)
})

it('uses the time of the CRM, or a minute before ours if a response has no date', async () => {
  const nothing = { totalSize: 0, done: true, records: [] }
  let date: string | false = 'Sun, 01 Mar 2026 00:00:07 GMT'
  const crm = await org(() => ({ body: nothing, date }))
  expect((await crm.changes('user', start)).asOf).toBe('2026-03-01T00:00:07.000Z')
  date = false
  const asOf = Date.parse((await crm.changes('user', start)).asOf)
  expect(Date.now() - asOf).toBeGreaterThanOrEqual(60_000)
  expect(Date.now() - asOf).toBeLessThan(65_000)
})

interface SentPart {
  method: string
  url: string
  body: { records: Record<string, unknown>[] }
}
/** An org that answers each collection of a composite call. */
async function collectionOrg(
  answer: (records: Record<string, unknown>[]) => { status?: number; body: unknown },
) {
  const calls: Record<string, unknown>[][][] = []
  const crm = await org((_, sent) => {
    const { compositeRequest } = JSON.parse(sent) as { compositeRequest: SentPart[] }
    const parts = compositeRequest.map(({ body }) => body.records)
    calls.push(parts)
    const compositeResponse = parts.map((records, at) => {
      const { status = 200, body } = answer(records)
      return { referenceId: `part${at}`, httpStatusCode: status, body }
    })
    return { body: { compositeResponse } }
  })
  return { crm, calls }
}
const ID = 'a005g000000000AAAQ'
const stored = { id: ID, success: true, created: false, errors: [] }
const failure = (statusCode: string) => ({ success: false, errors: [{ statusCode, message: 'x' }] })
const contactRequest = () => ({
  kind: 'upsertContactRequest' as const,
  request: {
    requestId: randomUUID(),
    userId: randomUUID(),
    method: 'Call' as const,
    requestedAt: new Date(0),
  },
})

it('omits the parent of a row if the org refuses it', async () => {
  const { crm, calls } = await collectionOrg((records) => ({
    body: records.map((record) =>
      'Veteran__r' in record ? failure('INVALID_FIELD_FOR_INSERT_UPDATE') : stored,
    ),
  }))
  const { request } = contactRequest()
  expect(await crm.upsertContactRequest(request)).toBe(ID)
  const row = {
    attributes: { type: 'Contact_Request__c' },
    Portal_Request_Id__c: request.requestId,
    Method__c: 'Call',
    Requested_At__c: '1970-01-01T00:00:00.000Z',
  }
  const parent = { Veteran__r: { Portal_User_Id__c: request.userId } }
  expect(calls).toEqual([[[{ ...row, ...parent }]], [[row]]])
})

const newDocument = (crmId?: string) => ({
  documentId: randomUUID(),
  userId: randomUUID(),
  ...(crmId !== undefined && { crmId }),
  name: 'letter.pdf',
  type: 'Other',
  boxFileId: '42',
  uploadedAt: new Date(0),
})

it.each([
  'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
  'FIELD_CUSTOM_VALIDATION_EXCEPTION',
  'INVALID_FIELD_FOR_INSERT_UPDATE',
])('omits the status of a document if the org refuses it with %s', async (code) => {
  const { crm, calls } = await collectionOrg((records) => ({
    body: records.map((record) => ('Status__c' in record ? failure(code) : stored)),
  }))
  expect(await crm.upsertDocument(newDocument(ID))).toBe(ID)
  expect(await crm.upsertDocument(newDocument())).toBe(ID)
  const last = calls.at(-1)![0]![0]!
  expect(last).toHaveProperty('Veteran__r')
  expect(last).not.toHaveProperty('Status__c')
})

it('omits the note of a document if the org refuses it', async () => {
  const { crm, calls } = await collectionOrg((records) => ({
    body: records.map((record) => ('Note__c' in record ? failure('STRING_TOO_LONG') : stored)),
  }))
  expect(await crm.upsertDocument({ ...newDocument(), note: 'Page 3' })).toBe(ID)
  expect(calls).toHaveLength(2)
  expect(calls.at(-1)![0]![0]!).toHaveProperty('Status__c')
})

it('omits the parent and the status of a document if the org refuses both', async () => {
  const { crm } = await collectionOrg((records) => ({
    body: records.map((record) =>
      'Status__c' in record || 'Veteran__r' in record
        ? failure('INVALID_FIELD_FOR_INSERT_UPDATE')
        : stored,
    ),
  }))
  expect(await crm.upsertDocument(newDocument())).toBe(ID)
})

it('returns the result of each record of a collection', async () => {
  const answers = [stored, failure('UNABLE_TO_LOCK_ROW'), failure('STRING_TOO_LONG'), {}, null]
  const { crm, calls } = await collectionOrg(() => ({ body: answers }))
  expect(await crm.send(answers.map(contactRequest))).toMatchObject([
    { value: ID },
    { name: 'CrmUnavailable', code: 'UNABLE_TO_LOCK_ROW' },
    { name: 'CrmRefused', code: 'STRING_TOO_LONG' },
    { name: 'CrmUnavailable', code: 'UNREADABLE_ANSWER' },
    { name: 'CrmUnavailable', code: 'UNREADABLE_ANSWER' },
  ])
  expect(calls).toHaveLength(1)
})

it.each([
  ['too few results', { body: [stored] }],
  ['no results', { body: null }],
  ['a failed part', { status: 500, body: [{ errorCode: 'UNKNOWN_EXCEPTION' }] }],
])('treats %s as a temporary failure of every record', async (_, answer) => {
  const { crm } = await collectionOrg(() => answer)
  const temporary = { name: 'CrmUnavailable' }
  expect(await crm.send([contactRequest(), contactRequest()])).toMatchObject([temporary, temporary])
})

it('finds the record for which a collection is refused as a whole, and stores the others', async () => {
  const requests = Array.from({ length: 12 }, contactRequest)
  const bad = requests[7]!
  const { crm, calls } = await collectionOrg((records) =>
    records.some((record) => record['Portal_Request_Id__c'] === bad.request.requestId)
      ? { status: 400, body: [{ errorCode: 'JSON_PARSER_ERROR' }] }
      : { body: records.map(() => stored) },
  )
  const refused = { name: 'CrmRefused', code: 'JSON_PARSER_ERROR' }
  expect(await crm.send(requests)).toMatchObject(
    requests.map((request) => (request === bad ? refused : { value: ID })),
  )
  expect(calls.map((parts) => parts.map(({ length }) => length))).toEqual([
    [12],
    [3, 3, 3, 3],
    [1, 1, 1],
  ])
})

it.each([
  ['a maintenance page', { type: 'text/html', body: '<html>Back soon</html>' }],
  ['invalid JSON', { body: '{"records": [' }],
  ['an empty body', { body: '' }],
  ['null', { body: 'null' }],
  ['an unexpected object', { body: { hello: 'world' } }],
  ['a redirect', { status: 302, type: 'text/html', body: 'Moved' }],
  ['an error page', { status: 404, type: 'text/html', body: '<html>' }],
])('treats %s as an outage', async (_, response) => {
  const crm = await org(() => response)
  await expect(crm.changes('user', start)).rejects.toMatchObject({ name: 'CrmUnavailable' })
  await expect(crm.veterans(['0035g0000000009AAA'])).rejects.toMatchObject({
    name: 'CrmUnavailable',
  })
  await expect(
    crm.upsertContactRequest({
      requestId: randomUUID(),
      userId: randomUUID(),
      method: 'Call',
      requestedAt: new Date(),
    }),
  ).rejects.toMatchObject({ name: 'CrmUnavailable' })
})

it('does not follow a redirect with its token', async () => {
  const requested: string[] = []
  const crm = await org((url, _, { host }) => {
    requested.push(url.replace(/\?.*/, ''))
    const location = `http://${host}/elsewhere`
    return { status: 302, type: 'text/html', body: 'Moved', location }
  })
  await expect(countIn(crm, 'user')).rejects.toMatchObject({ name: 'CrmUnavailable' })
  expect(requested).toEqual(['/services/data/v64.0/query'])
})

it('requests uncompressed responses', async () => {
  let encoding: string | undefined
  const crm = await org((_, __, headers) => {
    encoding = headers['accept-encoding']
    return { body: { totalSize: 0, done: true, records: [] } }
  })
  expect(await countIn(crm, 'user')).toBe(0)
  expect(encoding).toBe('identity')
})

it('does not pass on error messages of the vendor', async () => {
  const body = [
    { errorCode: 'DUPLICATE_VALUE', message: 'james@example.com' },
    { errorCode: 'INVALID_FIELD', message: 'james@example.com' },
  ]
  const crm = await org(() => ({ status: 400, body }))
  const error: unknown = await countIn(crm, 'user').catch((e: unknown) => e)
  expect(error).toMatchObject({ name: 'CrmRefused', code: 'DUPLICATE_VALUE' })
  expect((error as Error).cause).toBeUndefined()
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('james')
})

it('fails only the kind whose query fails in a tick', async () => {
  const found = { totalSize: 0, done: true, records: [] }
  const failed = [{ errorCode: 'QUERY_TIMEOUT', message: 'james@example.com' }]
  const crm = await org(() => ({
    body: {
      compositeResponse: [
        { body: failed, httpStatusCode: 400, referenceId: 'query0' },
        { body: found, httpStatusCode: 200, referenceId: 'query1' },
        { body: { records: [{ Id: 7 }] }, httpStatusCode: 200, referenceId: 'query2' },
      ],
    },
  }))
  const kinds = ['contact', 'appointment', 'document'] as const
  expect(await crm.tick(kinds.map((kind) => ({ kind, after: start })))).toMatchObject([
    { status: 'rejected', reason: { name: 'CrmUnavailable', code: 'QUERY_TIMEOUT' } },
    { status: 'fulfilled', value: { rows: [], full: false } },
    { status: 'rejected', reason: { name: 'CrmUnavailable', code: 'UNREADABLE_ANSWER' } },
  ])
})

it('treats a page that the CRM splits in a tick as full, and does not request the rest of it', async () => {
  const Id = '0035g0000000009AAA'
  const records = [{ Id, SystemModstamp: '2026-11-15T12:00:00.000+0000' }]
  const next = '/services/data/v64.0/query/01g-1'
  const requested: string[] = []
  const crm = await org((url) => {
    requested.push(url)
    const body = { totalSize: 2, done: false, nextRecordsUrl: next, records }
    return { body: { compositeResponse: [{ body, httpStatusCode: 200, referenceId: 'query0' }] } }
  })
  const [page] = await crm.tick([{ kind: 'contact', after: start }])
  expect(page).toMatchObject({ value: { rows: [{ id: Id }], full: true } })
  expect(requested).toHaveLength(1)
})
