import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { figures, headline } from '../figures.ts'
import { matrix, PRINCIPALS, WITHOUT_SESSION } from './matrix.ts'
import type { Principal } from './matrix.ts'
import { principals } from './principals.ts'
import { bodies, HEADERS, params, queries } from './valid-requests.ts'

const testApp = await boot({ environment: { DOCUMENT_VIEWING: 'on' } })
const callers = principals(testApp)
const bodyOf = bodies(testApp)
const paramsOf = params(testApp)
const queryOf = queries(testApp)

const names = Object.keys(endpoints)
const cells = names.flatMap((name) => PRINCIPALS.map((principal) => ({ name, principal })))
const SESSION = ['guidon-access', 'guidon-refresh']

/** Uses new accounts and objects, so that cells do not affect each other. */
async function tryCell(name: string, principal: Principal) {
  const endpoint: Endpoint = endpoints[name]!
  const { client, subject, ownAccount = subject, beforeCall } = await callers[principal]()
  const body = await bodyOf[name]?.(subject)
  const path = pathOf(endpoint, ((await paramsOf[name]?.(ownAccount.email)) ?? {}) as never)
  const query = new URLSearchParams(await queryOf[name]?.())
  await beforeCall()
  const before = new Map(client.cookies)
  const { status, body: response } = await client.send(
    endpoint.method,
    query.size > 0 ? `${path}?${query.toString()}` : path,
    body,
    HEADERS[name],
  )
  const { code } = (response ?? {}) as { code?: string }
  const gotSession = SESSION.some((cookie) => {
    const now = client.cookies.get(cookie)
    return now !== undefined && now !== before.get(cookie)
  })
  return { actual: [status, ...(status < 400 || !code ? [] : [code])].join(' '), gotSession }
}

it('the table allows nobody without a session on an endpoint that requires one', () => {
  const withSession = names.filter((name) => endpoints[name]?.session === 'required')
  const open = withSession.filter((name) =>
    WITHOUT_SESSION.some(
      (principal) => !/^401( no_session)?$/.test(matrix[name]?.[principal] ?? ''),
    ),
  )
  expect(open).toEqual([])
})

it('every caller gets the response in the table, and no refusal opens a session', async () => {
  const outcomes = await limitedConcurrency(cells.length, async (index) => {
    const { name, principal } = cells[index]!
    const { actual, gotSession } = await tryCell(name, principal)
    const expected = matrix[name]?.[principal] ?? 'no row'
    const wrong = actual !== expected || (gotSession && !actual.startsWith('2'))
    return wrong ? [`${name} for ${principal}: ${actual}, not ${expected}`] : []
  })
  const wrong = outcomes.flat()
  figures('the matrix', {
    endpoints: names.length,
    principals: PRINCIPALS.length,
    cells: cells.length,
    wrong: wrong.length,
  })
  headline.sum({ endpoints: names.length, cells: cells.length, wrong: wrong.length })
  expect(wrong).toEqual([])
})
