import { createHash, randomUUID } from 'node:crypto'
import type { Role } from '@guidon/contract/account'
import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures } from '../size.ts'
import { unmatchedNames } from './matrix.ts'
import type { Account } from './principals.ts'
import { addStoredDocument, bodies, HEADERS, idOf, linkContact, params } from './valid-requests.ts'

// No worker: it would change the compared rows.
const testApp = await boot({ worker: false, environment: { DOCUMENT_VIEWING: 'on' } })
const { account, withSession, sql } = testApp
const bodyOf = bodies(testApp)
const paramsOf = params(testApp)

type Params = Record<string, string>

const ROLES: readonly Role[] = ['USER', 'STAFF', 'ADMIN']

const objectRoutes = (all: Readonly<Record<string, Endpoint>>) =>
  Object.keys(all).filter((name) => all[name]!.path.includes('{'))
const isForVeterans = (name: string) => endpoints[name]!.roles?.includes('USER') === true
const names = objectRoutes(endpoints)
/** Its path names a text of the provider, and the consent is the caller's own. */
const NAMES_NO_OBJECT = 'withdrawConsent'
const ownRoutes = names.filter((name) => isForVeterans(name) && name !== NAMES_NO_OBJECT)
const staffRoutes = names.filter((name) => !isForVeterans(name))

/** May be repeated, so it succeeds without an object; the others refuse. */
const SUCCEEDS_WITHOUT_OBJECT = 'endHandOff'

const NOT_AN_ID = "' or 1=1 --"
const DIFFERENT_EACH_TIME = new Set(['date', 'x-request-id'])

/** Sends a valid request about the object. */
async function probe(client: TestClient, name: string, target: Params, subject: Account) {
  const endpoint = endpoints[name]!
  const { status, body, headers } = await client.send(
    endpoint.method,
    pathOf(endpoint, target as never),
    await bodyOf[name]?.(subject),
    HEADERS[name],
  )
  const { code } = body as { code?: string }
  const compared = [...headers].filter(([header]) => !DIFFERENT_EACH_TIME.has(header))
  return {
    outcome: [status, ...(code ? [code] : [])].join(' '),
    response: JSON.stringify([status, compared, body]),
  }
}

/** The tables of the objects that veterans have. */
const TABLES = 'documents unfinished_uploads uploads upload_chunks hand_offs consents'.split(' ')

async function hashOfRows(): Promise<string> {
  const hash = createHash('sha256')
  for (const table of TABLES) {
    const { rows } = await sql.query<{ text: string }>(
      `select ${table}::text as text from ${table} order by 1`,
    )
    for (const { text } of rows) hash.update(text)
  }
  return hash.digest('hex')
}

interface Cell {
  name: string
  role: Role
  which: string
  outcome: string
  response: string
}

/** Not in the form of an id, so each endpoint refuses it before it looks for an object. */
const MALFORMED = new Set(['a list', 'not an id'])

/** The responses about an existing object that differ from the response to the same caller about nothing. */
const differentFromMissing = (cells: readonly Cell[]) =>
  cells.filter(({ name, role, which, response }) => {
    const missing = cells.find(
      (cell) => cell.name === name && cell.role === role && cell.which === 'of nothing',
    )
    return !MALFORMED.has(which) && response !== missing?.response
  })
const named = ({ name, role, which, outcome }: Cell) => `${name}, ${role}, ${which}: ${outcome}`

it('every endpoint with an id in its path has an object to try, and a missing one is detected', () => {
  expect(unmatchedNames(names, Object.keys(paramsOf))).toEqual([])
  const added = {
    ...endpoints,
    added: { ...endpoints['getContent']!, path: '/added/{id}' },
  } as const
  expect(unmatchedNames(objectRoutes(added), Object.keys(paramsOf))).toEqual(['added'])
})

function ownOutcome({ name, role, which }: Cell): string {
  const { method } = endpoints[name]!
  // A response to HEAD has no body, and so no code.
  const [wrongRole, missing] =
    method === 'HEAD' ? ['403', '404'] : ['403 wrong_role', '404 not_found']
  if (role !== 'USER') return wrongRole
  return name === SUCCEEDS_WITHOUT_OBJECT && !MALFORMED.has(which) ? '204' : missing
}

it("for others, a veteran's object is the same as a missing one, and it does not change", async () => {
  const cells: Cell[] = []
  const changed: string[] = []
  const refusedToOwner: string[] = []
  for (const name of ownRoutes) {
    const owner = await account()
    const target = await paramsOf[name]!(owner.email)
    const [key, id] = Object.entries(target)[0]!
    const ids = {
      "the owner's": id,
      'a list': `${id},${id}`,
      "the owner's account": await idOf(sql, owner.email),
      'of nothing': randomUUID(),
      'not an id': NOT_AN_ID,
    }
    const before = await hashOfRows()
    for (const role of ROLES) {
      const client = await withSession(await account(role))
      for (const [which, tried] of Object.entries(ids)) {
        const result = await probe(client, name, { [key]: tried }, owner)
        cells.push({ name, role, which, ...result })
      }
    }
    if ((await hashOfRows()) !== before) changed.push(name)
    // The object exists, and the request is valid.
    const { outcome } = await probe(await withSession(owner), name, target, owner)
    if (!outcome.startsWith('2')) refusedToOwner.push(`${name}: ${outcome}`)
  }
  const leaks = differentFromMissing(cells).map(named)
  const wrong = cells.filter((cell) => cell.outcome !== ownOutcome(cell))
  figures('objects of veterans by id', {
    endpoints: ownRoutes.length,
    roles: ROLES.length,
    ids: cells.length / (ownRoutes.length * ROLES.length),
    cells: cells.length,
    leaks: leaks.length,
    wrong: wrong.length,
    'endpoints that changed an object': changed.length,
  })
  expect(leaks).toEqual([])
  expect(wrong.map(named)).toEqual([])
  expect(changed).toEqual([])
  expect(refusedToOwner).toEqual([])
})

const contactOf = async ({ email }: Account) => linkContact(sql, email)

/** What staff may see or change if it belongs to a veteran, and the same of a colleague. */
async function staffTargets(name: string): Promise<Record<string, Params>> {
  const [veteran, colleague] = [await account(), await account('STAFF')]
  const [userId, colleagueId] = [await idOf(sql, veteran.email), await idOf(sql, colleague.email)]
  const nothing = randomUUID()
  switch (name) {
    case 'getContentOf': {
      const id = await addStoredDocument(sql, veteran.email)
      const ofColleague = await addStoredDocument(sql, colleague.email)
      const other = await idOf(sql, (await account()).email)
      return {
        "a veteran's": { userId, id },
        "a colleague's": { userId: colleagueId, id: ofColleague },
        'of another kind': { userId: other, id },
        'of nothing': { userId, id: nothing },
        'not an id': { userId, id: NOT_AN_ID },
      }
    }
    case 'getDocumentsOf':
      return {
        "a veteran's": { id: await contactOf(veteran) },
        "a colleague's": { id: await contactOf(colleague) },
        'of another kind': { id: userId },
        'of nothing': { id: nothing },
        'not an id': { id: NOT_AN_ID },
      }
    default:
      return {
        "a veteran's": { id: userId },
        "a colleague's": { id: colleagueId },
        'of another kind': { id: await contactOf(veteran) },
        'of nothing': { id: nothing },
        'not an id': { id: NOT_AN_ID },
      }
  }
}

/** Staff may know of a colleague's account, because they can list every account. */
const ABOUT_ACCOUNTS = /^\/admin\/users\/\{id\}/

function staffOutcome({ name, role, which }: Cell): string {
  const { roles, path } = endpoints[name]!
  if (!roles?.includes(role)) return '403 wrong_role'
  const isFound = which === "a veteran's" || which === "a colleague's"
  if (which === "a veteran's" || (isFound && role === 'ADMIN')) return 'success'
  return isFound && ABOUT_ACCOUNTS.test(path) ? '403 veterans_only' : '404 not_found'
}

it('for staff, the documents of a colleague and objects by ids of another kind are the same as missing ones', async () => {
  const tries = staffRoutes.flatMap((name) => ROLES.map((role) => ({ name, role })))
  const found = await limitedConcurrency(tries.length, async (index) => {
    const { name, role } = tries[index]!
    const caller = await account(role)
    const client = await withSession(caller)
    const cells: Cell[] = []
    for (const [which, target] of Object.entries(await staffTargets(name))) {
      cells.push({ name, role, which, ...(await probe(client, name, target, caller)) })
    }
    return cells
  })
  const cells = found.flat()
  const mayDiffer = new Set(['success', '403 veterans_only'])
  const leaks = differentFromMissing(cells).filter((cell) => !mayDiffer.has(staffOutcome(cell)))
  const wrong = cells.filter((cell) => {
    const expected = staffOutcome(cell)
    return expected === 'success' ? !cell.outcome.startsWith('2') : cell.outcome !== expected
  })
  figures('objects for staff by id', {
    endpoints: staffRoutes.length,
    roles: ROLES.length,
    ids: cells.length / tries.length,
    cells: cells.length,
    leaks: leaks.length,
    wrong: wrong.length,
  })
  expect(leaks.map(named)).toEqual([])
  expect(wrong.map(named)).toEqual([])
})

it('the withdrawal of a consent is the same whether another veteran gave it or not, and theirs stays', async () => {
  const [owner, caller] = [await account(), await account()]
  const client = await withSession(caller)
  const target = { kind: 'feedback' }
  const { response: missing } = await probe(client, NAMES_NO_OBJECT, target, caller)
  expect(await paramsOf[NAMES_NO_OBJECT]!(owner.email)).toEqual(target)
  const before = await hashOfRows()
  const { response } = await probe(client, NAMES_NO_OBJECT, target, caller)
  expect(response).toBe(missing)
  expect(await hashOfRows()).toBe(before)
})
