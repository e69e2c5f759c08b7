import { Connection } from '@jsforce/jsforce-node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Fault } from './faults.ts'
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

const BROKEN = /ECONNRESET|socket hang up|terminated|fetch failed|other side closed/

const query = () => request<{ totalSize: number }>(connection, '/query?q=SELECT+Id+FROM+Contact')
const upsert = () =>
  request(connection, '/sobjects/Contact/Portal_User_Id__c/u-1', {
    method: 'PATCH',
    body: { LastName: 'Whitfield' },
  })
const inject = (fault: Fault) =>
  fetch(`${salesforce.url}/faults`, { method: 'PUT', body: JSON.stringify(fault) })
const control = async (path: string) => (await fetch(salesforce.url + path)).json()

it.each([
  ['500', { errorCode: 'UNKNOWN_EXCEPTION' }],
  ['429', { errorCode: 'TOO_MANY_REQUESTS' }],
  ['quota', { errorCode: 'REQUEST_LIMIT_EXCEEDED' }],
] as const)('responds with %s the given number of times, then works again', async (mode, error) => {
  await inject({ mode, times: 2 })
  await expect(query()).rejects.toMatchObject(error)
  await expect(upsert()).rejects.toMatchObject(error)
  expect(await query()).toMatchObject({ totalSize: 0 })
})

it('cuts connections while it is down', async () => {
  await inject({ mode: 'down' })
  await expect(query()).rejects.toThrow(BROKEN)
  await expect(connect(salesforce.url)).rejects.toThrow(BROKEN)
  await inject({ mode: 'none' })
  expect(await query()).toMatchObject({ totalSize: 0 })
})

it('affects only calls with the given method and path', async () => {
  await inject({ mode: '500', match: 'PATCH /services/data/v64.0/sobjects/Contact' })
  await query()
  await expect(upsert()).rejects.toMatchObject({ errorCode: 'UNKNOWN_EXCEPTION' })
  expect(await query()).toMatchObject({ totalSize: 0 })
})

it('affects a composite request if one of its subrequests has the given method and path', async () => {
  await inject({ mode: '500', match: 'PATCH /composite/sobjects/Contact/' })
  const composite = (method: string, url: string, body?: object) =>
    connection.request({
      method: 'POST',
      url: '/services/data/v64.0/composite',
      body: JSON.stringify({
        compositeRequest: [
          { referenceId: 'part', method, url: `/services/data/v64.0${url}`, body },
        ],
      }),
    })
  await composite('GET', '/query?q=SELECT+Id+FROM+Contact')
  const path = '/composite/sobjects/Contact/Portal_User_Id__c'
  await expect(composite('PATCH', path, { records: [] })).rejects.toMatchObject({
    errorCode: 'UNKNOWN_EXCEPTION',
  })
})

it('holds a call, which is handled only when it is released', async () => {
  await inject({ mode: 'hang', match: 'PATCH', times: 1 })
  const held = upsert()
  expect(await control('/hanging?wait=20000')).toEqual({ hanging: 1 })
  expect(await query()).toMatchObject({ totalSize: 0 })
  await inject({ mode: 'none' })
  expect(await held).toMatchObject({ created: true })
})

it('does not handle a held call whose client has disconnected', async () => {
  await inject({ mode: 'hang', match: 'PATCH' })
  const disconnect = new AbortController()
  const held = fetch(
    `${salesforce.url}/services/data/v64.0/sobjects/Contact/Portal_User_Id__c/u-1`,
    {
      method: 'PATCH',
      body: '{"LastName":"Never"}',
      headers: { authorization: `Bearer ${connection.accessToken}` },
      signal: disconnect.signal,
    },
  ).catch(() => 'disconnected')
  await control('/hanging?wait=20000')
  disconnect.abort()
  expect(await held).toBe('disconnected')
  expect(await control('/hanging?until=none&wait=20000')).toEqual({ hanging: 0 })
  await inject({ mode: 'none' })
  expect(await query()).toMatchObject({ totalSize: 0 })
})

it('handles a call and loses the response: a retry updates the row that the call created', async () => {
  await inject({ mode: 'lost', times: 1 })
  await expect(upsert()).rejects.toThrow(BROKEN)
  expect(await query()).toMatchObject({ totalSize: 1 })
  expect(await upsert()).toMatchObject({ created: false })
  expect(await query()).toMatchObject({ totalSize: 1 })
})

// Without jsforce, which throws an uncaught exception for a truncated body.
it('handles a call and truncates the response', async () => {
  await inject({ mode: 'truncated', times: 1 })
  const response = await fetch(`${salesforce.url}/services/data/v64.0/sobjects/Contact`, {
    method: 'POST',
    body: '{"LastName":"Whitfield"}',
    headers: { authorization: `Bearer ${connection.accessToken}` },
  })
  expect(response.status).toBe(201)
  await expect(response.text()).rejects.toThrow('terminated')
  expect(await query()).toMatchObject({ totalSize: 1 })
})

it('delays a response', async () => {
  await inject({ mode: 'slow', milliseconds: 120, times: 1 })
  const started = performance.now()
  await query()
  expect(performance.now() - started).toBeGreaterThan(100)
})

it('ends the sessions: the client needs a new token', async () => {
  const { instanceUrl, accessToken } = connection
  connection = new Connection({ version: '64.0', instanceUrl, accessToken: accessToken! })
  await inject({ mode: 'expired-token', times: 1 })
  await expect(query()).rejects.toMatchObject({ errorCode: 'INVALID_SESSION_ID' })
  await expect(query()).rejects.toMatchObject({ errorCode: 'INVALID_SESSION_ID' })
  const refreshed = await connect(salesforce.url)
  connection = new Connection({
    version: '64.0',
    instanceUrl,
    accessToken: accessToken!,
    refreshFn: (_, done) => done(null, refreshed.accessToken!),
  })
  expect(await query()).toMatchObject({ totalSize: 0 })
})

it('refuses an invalid fault with 422', async () => {
  for (const body of ['', '{}', '{"mode":"explode"}', '{"mode":"500","times":0}']) {
    const response = await fetch(`${salesforce.url}/faults`, { method: 'PUT', body })
    expect(response.status).toBe(422)
  }
  expect(await control('/faults')).toEqual({ mode: 'none' })
})

it('closes while it holds a call', async () => {
  await inject({ mode: 'hang' })
  const held = query().catch((error: Error) => error.message)
  await control('/hanging?wait=20000')
  await salesforce.close()
  expect(await held).toMatch(BROKEN)
})
