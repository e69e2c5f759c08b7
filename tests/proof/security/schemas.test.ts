import { refresh } from '@guidon/contract/auth'
import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { createHandOff, openHandOff } from '@guidon/contract/hand-off'
import { sample } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REFUSALS_WITHOUT_DELAY } from '../../../api/src/features/documents/receive/account-load.ts'
import {
  accepts,
  HOSTILE_TEXTS,
  receivedSchemas,
  slowestMs,
} from '../../../contract/test/received.ts'
import type { Part, Schema } from '../../../contract/test/received.ts'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { newToken } from '../../support/hand-off.ts'
import { copyAccount } from '../../support/outside/copy-account.ts'
import { formOf } from '../../support/test-client.ts'
import type { TestClient, Reply } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { inputsFor, longBodiesFor } from './generated-input.ts'

const testApp = await boot()
const { account, newClient, signedIn, sql, stopWorkers, withSession } = testApp
const sessions = {
  USER: await signedIn(await account()),
  ADMIN: await signedIn(await account('ADMIN')),
}
// Generated input needs no email, so the worker would only take CPU time.
await stopWorkers()

const INPUTS = smallOrFull(60, 10_000)
/** Of a body's inputs. */
const LONG_INPUTS = INPUTS / 20
const CONCURRENT_REQUESTS = 8
const MAX_CHECK_MS = 20
const MIN_SHARE_REACHED = 0.9
/** Sent before the schema is checked: no session, wrong role, a limit, a full queue. */
const STATUSES_BEFORE_SCHEMA = new Set([401, 403, 408, 413, 429, 503])

const deleteLimits = () => sql.query('delete from limits')

/** Several for uploads, so that none is delayed. */
async function callersOf(endpoint: Endpoint): Promise<TestClient[]> {
  if (!endpoint.form) {
    const session = sessions[endpoint.roles?.includes('USER') === false ? 'ADMIN' : 'USER']
    await session.call(refresh, {})
    return [await callerOf(endpoint, session)]
  }
  const count = Math.ceil(INPUTS / REFUSALS_WITHOUT_DELAY)
  const accounts = await copyAccount(testApp.sql, (await testApp.account()).email, count)
  return limitedConcurrency(
    accounts.length,
    async (n) => {
      await deleteLimits()
      return callerOf(endpoint, await withSession(accounts[n]!))
    },
    CONCURRENT_REQUESTS,
  )
}

async function callerOf({ session }: Endpoint, owner: TestClient): Promise<TestClient> {
  if (session === 'required') return owner
  const client = newClient()
  if (session === 'phone') {
    const { token } = (await owner.call(createHandOff, { body: { documentType: 'Other' } })).body
    await client.call(openHandOff, { body: { token, attempt: newToken() } })
  }
  if (session === 'challenge') client.cookies.set('guidon-challenge', 'not-a-challenge-of-anyone')
  return client
}

const wellFormed = (input: object) =>
  Object.entries(input).map(([name, value]) => [name, String(value).toWellFormed()] as const)

/** Refused for its content after the schema accepted the fields, so nothing is stored. */
const NOT_A_DOCUMENT = { name: 'x.txt', bytes: Buffer.from('x') }

function send(client: TestClient, endpoint: Endpoint, part: Part, input: unknown): Promise<Reply> {
  const { method } = endpoint
  const path = pathOf(endpoint, { id: '00000000-0000-7000-8000-000000000000' } as never)
  switch (part) {
    case 'body':
      return client.send(method, path, JSON.stringify(input))
    case 'form':
      return client.send(
        method,
        path,
        formOf(NOT_A_DOCUMENT, Object.fromEntries(wellFormed(input as object))),
      )
    case 'query':
      return client.send(
        method,
        `${path}?${new URLSearchParams(Object.fromEntries(wellFormed(input as object))).toString()}`,
      )
    case 'params': {
      const params = Object.fromEntries(wellFormed(input as object))
      const form = endpoint.form && formOf(NOT_A_DOCUMENT)
      return client.send(method, pathOf(endpoint, { id: '-', ...params } as never), form)
    }
  }
}

function generate(schema: Schema, part: Part): unknown[] {
  if (part !== 'body') return sample(inputsFor(schema, 'text'), INPUTS)
  return [
    ...sample(inputsFor(schema, 'json'), INPUTS - LONG_INPUTS),
    ...sample(longBodiesFor(schema), LONG_INPUTS),
  ]
}

const sizeOf = (input: unknown) => Buffer.byteLength(JSON.stringify(input))

describe.each(receivedSchemas)('the $part of $name', ({ name, endpoint, part, schema }) => {
  it('never causes a 5xx response, with any input', async () => {
    const inputs = generate(schema, part)
    const callers = await callersOf(endpoint)
    const cookies = callers.map((caller) => new Map(caller.cookies))
    const responses = await limitedConcurrency(
      INPUTS,
      async (n) => {
        // Each request uses the initial cookies, because a response may have ended or renewed them.
        const sender = newClient()
        // Upload limits apply before the schema, other limits after it; either would hide the result.
        if (endpoint.form || accepts(schema, inputs[n])) await deleteLimits()
        for (const [cookie, value] of cookies[n % cookies.length]!)
          sender.cookies.set(cookie, value)
        return send(sender, endpoint, part, inputs[n])
      },
      CONCURRENT_REQUESTS,
    )
    const failed = responses.filter(({ status }) => status >= 500 && status !== 503)
    const hasReached = ({ status, body }: Reply) =>
      !STATUSES_BEFORE_SCHEMA.has(status) &&
      (body as { code?: string } | null)?.code !== 'bad_request'
    const reached = responses.filter(hasReached)
    // The last ones of a body's inputs.
    const long = part === 'body' ? LONG_INPUTS : 0
    const longReached = responses.slice(INPUTS - long).filter(hasReached)
    figures(`${part} of ${name}`, {
      inputs: INPUTS,
      'reached the schema': `${((100 * reached.length) / INPUTS).toFixed(1)} %`,
      'accepted by the schema': inputs.filter((input) => accepts(schema, input)).length,
      ...(part === 'body' && {
        'with a long text': `${long}, of which ${longReached.length} reached the schema`,
        'their largest in bytes': Math.max(...inputs.slice(INPUTS - long).map(sizeOf)),
      }),
      '5xx responses': failed.length,
    })
    headline.sum({ inputs: INPUTS, '5xx responses': failed.length })
    expect(failed).toEqual([])
    expect(longReached.length).toBe(long)
    expect(reached.length / INPUTS).toBeGreaterThanOrEqual(MIN_SHARE_REACHED)
  })
})

it('no schema takes long to check 64 kB of hostile text', () => {
  const times = receivedSchemas.map(({ name, part, schema }) => ({
    schema: `${part} of ${name}`,
    ms: slowestMs(schema),
  }))
  const slowest = times.toSorted((a, b) => b.ms - a.ms)[0]!
  figures('slowest schema', {
    schemas: times.length,
    'hostile texts': HOSTILE_TEXTS.length,
    'characters of the shortest text': Math.min(...HOSTILE_TEXTS.map(({ length }) => length)),
    slowest: slowest.schema,
    'its CPU time in microseconds': Math.round(slowest.ms * 1_000),
  })
  headline.sum({ schemas: times.length })
  headline.max({ 'slowest check ms': slowest.ms })
  expect(slowest.ms).toBeLessThan(MAX_CHECK_MS)
})
