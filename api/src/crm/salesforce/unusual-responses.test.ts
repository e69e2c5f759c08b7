import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Crm } from '../port.ts'
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
): Promise<Crm> {
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
    log: { debug() {}, warn() {} },
  })
  close = async () => {
    await crm.close()
    server.closeAllConnections()
    server.close()
  }
  return crm
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

it('omits the parent of a row if the org refuses it', async () => {
  const bodies: Record<string, unknown>[] = []
  const refusal = [{ errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE', message: 'Veteran__c' }]
  const crm = await org((_, sent) => {
    const body = JSON.parse(sent) as Record<string, unknown>
    bodies.push(body)
    if ('Veteran__r' in body) return { status: 400, body: refusal }
    return { body: { id: 'a005g000000000AAAQ', success: true, created: false } }
  })
  const [requestId, userId] = [randomUUID(), randomUUID()]
  const id = await crm.upsertContactRequest({
    requestId,
    userId,
    method: 'Call',
    requestedAt: new Date(0),
  })
  expect(id).toBe('a005g000000000AAAQ')
  const row = { Method__c: 'Call', Requested_At__c: '1970-01-01T00:00:00.000Z' }
  expect(bodies).toEqual([{ ...row, Veteran__r: { Portal_User_Id__c: userId } }, row])
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
  await expect(crm.count('user')).rejects.toMatchObject({ name: 'CrmUnavailable' })
  expect(requested).toEqual(['/services/data/v64.0/query'])
})

it('requests uncompressed responses', async () => {
  let encoding: string | undefined
  const crm = await org((_, __, headers) => {
    encoding = headers['accept-encoding']
    return { body: { totalSize: 7, done: true, records: [] } }
  })
  expect(await crm.count('user')).toBe(7)
  expect(encoding).toBe('identity')
})

it('does not pass on error messages of the vendor', async () => {
  const body = [
    { errorCode: 'DUPLICATE_VALUE', message: 'james@example.com' },
    { errorCode: 'INVALID_FIELD', message: 'james@example.com' },
  ]
  const crm = await org(() => ({ status: 400, body }))
  const error: unknown = await crm.setBoxFolder('0035g0000000009AAA', '1').catch((e: unknown) => e)
  expect(error).toMatchObject({ name: 'CrmRefused', code: 'DUPLICATE_VALUE' })
  expect((error as Error).cause).toBeUndefined()
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('james')
})
