import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Crm } from '../port.ts'
import { defaultMapping } from './default-mapping.ts'
import { salesforceCrm } from './salesforce-crm.ts'

/** What an org can do and the sandbox cannot: it answers as the test says. */
interface Answer {
  status?: number
  type?: string
  body: unknown
  date?: string | false
  location?: string
}

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

async function org(
  answer: (url: string, body: string, headers: IncomingHttpHeaders) => Answer,
): Promise<Crm> {
  const server = createServer((request, response) => {
    let sent = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (sent += chunk))
    request.on('end', () => {
      const isToken = request.url === '/services/oauth2/token'
      const session = { access_token: 'x', instance_url: `http://${request.headers.host}` }
      const reply: Answer = isToken
        ? { body: session }
        : answer(decodeURIComponent(request.url!), sent, request.headers)
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

it('follows an answer that comes in pieces, as wide rows do', async () => {
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

it('tells the time of the CRM, or an earlier one than ours where the CRM tells none', async () => {
  const nothing = { totalSize: 0, done: true, records: [] }
  let date: string | false = 'Sun, 01 Mar 2026 00:00:07 GMT'
  const crm = await org(() => ({ body: nothing, date }))
  expect((await crm.changes('user', start)).asOf).toBe('2026-03-01T00:00:07.000Z')
  date = false
  const asOf = Date.parse((await crm.changes('user', start)).asOf)
  expect(Date.now() - asOf).toBeGreaterThanOrEqual(60_000)
  expect(Date.now() - asOf).toBeLessThan(65_000)
})

it('names the parent of a row again only where the org allows it', async () => {
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
  ['a page of maintenance', { type: 'text/html', body: '<html>Back soon</html>' }],
  ['JSON that is none', { body: '{"records": [' }],
  ['nothing at all', { body: '' }],
  ['null', { body: 'null' }],
  ['another answer than was asked', { body: { hello: 'world' } }],
  ['a redirect', { status: 302, type: 'text/html', body: 'Moved' }],
  ['a page for an error', { status: 404, type: 'text/html', body: '<html>' }],
])('takes %s for an outage', async (_, answer) => {
  const crm = await org(() => answer)
  await expect(crm.changes('user', start)).rejects.toMatchObject({ name: 'CrmUnavailable' })
  await expect(crm.veteran('0035g0000000009AAA')).rejects.toMatchObject({ name: 'CrmUnavailable' })
  await expect(
    crm.upsertContactRequest({
      requestId: randomUUID(),
      userId: randomUUID(),
      method: 'Call',
      requestedAt: new Date(),
    }),
  ).rejects.toMatchObject({ name: 'CrmUnavailable' })
})

it('takes the token nowhere else, whatever the answer says', async () => {
  const asked: string[] = []
  const crm = await org((url, _, { host }) => {
    asked.push(url.replace(/\?.*/, ''))
    const location = `http://${host}/elsewhere`
    return { status: 302, type: 'text/html', body: 'Moved', location }
  })
  await expect(crm.count('user')).rejects.toMatchObject({ name: 'CrmUnavailable' })
  expect(asked).toEqual(['/services/data/v64.0/query'])
})

it('asks for answers that need not be unpacked', async () => {
  let encoding: string | undefined
  const crm = await org((_, __, headers) => {
    encoding = headers['accept-encoding']
    return { body: { totalSize: 7, done: true, records: [] } }
  })
  expect(await crm.count('user')).toBe(7)
  expect(encoding).toBe('identity')
})

it('keeps the sentences of the vendor, and what they quote, to itself', async () => {
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
