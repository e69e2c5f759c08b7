import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { expect, it } from 'vitest'
import { boot } from '../test/boot.ts'
import { bodies, params } from './valid-requests.ts'
import { limitedConcurrency } from './concurrency.ts'
import { missingRows, matrix, PRINCIPALS, WITHOUT_SESSION } from './matrix.ts'
import type { Principal } from './matrix.ts'
import { principals } from './principals.ts'
import { figures } from './size.ts'

const testApp = await boot()
const callers = principals(testApp)
const bodyOf = bodies(testApp)
const paramsOf = params(testApp)

const names = Object.keys(endpoints)
const cells = names.flatMap((name) => PRINCIPALS.map((principal) => ({ name, principal })))
const SESSION = ['guidon-access', 'guidon-refresh']

/** Everyone and everything in a cell is new, so no cell can change what another one sees. */
async function tryCell(name: string, principal: Principal) {
  const endpoint: Endpoint = endpoints[name]!
  const { client, subject, self = subject, meanwhile } = await callers[principal]()
  const body = await bodyOf[name]?.(subject)
  const path = pathOf(endpoint, ((await paramsOf[name]?.(self.email)) ?? {}) as never)
  await meanwhile()
  const before = new Map(client.cookies)
  const { status, body: answer } = await client.send(endpoint.method, path, body)
  const { code } = (answer ?? {}) as { code?: string }
  const gained = SESSION.some((cookie) => {
    const now = client.cookies.get(cookie)
    return now !== undefined && now !== before.get(cookie)
  })
  return { got: [status, ...(status < 400 ? [] : [code])].join(' '), gained }
}

it('every call has a row, and every row a call', () => {
  expect(missingRows(names, Object.keys(matrix))).toEqual([])
  expect(missingRows([...names, 'added'], Object.keys(matrix))).toEqual(['added'])
  expect(missingRows(names.slice(1), Object.keys(matrix))).toEqual(names.slice(0, 1))
})

it('the table itself lets no stranger into a call that needs a session', () => {
  const guarded = names.filter((name) => endpoints[name]?.session === 'required')
  const open = guarded.filter((name) =>
    WITHOUT_SESSION.some((stranger) => matrix[name]?.[stranger] !== '401 no_session'),
  )
  expect(open).toEqual([])
})

it('everyone gets what the table says, and nobody a session by being refused', async () => {
  const outcomes = await limitedConcurrency(cells.length, async (index) => {
    const { name, principal } = cells[index]!
    const { got, gained } = await tryCell(name, principal)
    const expected = matrix[name]?.[principal] ?? 'no row'
    const wrong = got !== expected || (gained && !got.startsWith('2'))
    return wrong ? [`${name} for ${principal}: ${got}, not ${expected}`] : []
  })
  const wrong = outcomes.flat()
  figures('the matrix', {
    calls: names.length,
    principals: PRINCIPALS.length,
    cells: cells.length,
    wrong: wrong.length,
  })
  expect(wrong).toEqual([])
})
