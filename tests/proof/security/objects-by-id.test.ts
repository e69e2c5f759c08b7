import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Role } from '@guidon/contract/account'
import { getDocuments } from '@guidon/contract/documents'
import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { veteransOnly } from '@guidon/contract/manage-users'
import { notFound, wrongRole } from '@guidon/contract/refusal'
import type { Refusal } from '@guidon/contract/refusal'
import { getUnfinishedUploads } from '@guidon/contract/resumable-uploads'
import { expect, it } from 'vitest'
import { isUuid } from '../../../api/src/platform/uuid.ts'
import { bootWithCases, day } from '../../support/case-rows.ts'
import { userIdOf } from '../../support/databases.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { unmatchedNames } from './matrix.ts'
import {
  addStoredDocument,
  addWaitingLink,
  bodies,
  HEADERS,
  linkContact,
  params,
  queries,
} from './valid-requests.ts'
import type { Account } from './valid-requests.ts'

// No worker: it would change the compared rows.
const { testApp, crmDocument, claim } = await bootWithCases({
  worker: false,
  environment: { DOCUMENT_VIEWING: 'on' },
})
const { account, withSession, sql } = testApp
const bodyOf = bodies(testApp)
const paramsOf = params(testApp)
const queryOf = queries(testApp)

type Params = Record<string, string>

/** Who calls: of the objects of veterans, the caller with the role USER owns none. */
const ROLES: readonly Role[] = ['USER', 'STAFF', 'ADMIN']
const NOT_AN_ID = "' or 1=1 --"
const UNKNOWN_CONTACT = '0035g00000ZZZZZAA4'
const DIFFERENT_EACH_TIME = new Set(['date', 'x-request-id'])
/** Not in the form of an id, so each endpoint refuses it before it looks for an object. */
const MALFORMED = new Set(['a list', 'not an id'])
/** May be repeated, so it succeeds without an object; the others refuse. */
const REPEATABLE = 'endHandOff'
/** Its path names a text of the provider, and the consent is the caller's own. */
const NAMES_NO_OBJECT = 'withdrawConsent'

interface Cell {
  name: string
  role: Role
  which: string
}

/** A refusal, the response to an object that does not exist any more, or success, with this body if it is known. */
type Expected = Refusal | 'nothing to end' | 'success' | { shows: object }

interface Targets {
  /** The account that the body of a request is about. */
  subject: Account
  /** The parameters of the path, by whose object they name. */
  params: Readonly<Record<string, Params>>
  /** Who calls as a USER; by default somebody else. */
  user?: Account
  /** Its own object, which it must be able to use. */
  owner?: { account: Account; params: Params }
}

interface Kind {
  /** Endpoints whose path names an object of this kind. */
  endpoints: readonly string[]
  targets(name: string): Promise<Targets>
  expected(cell: Cell, params: Params): Expected
  /** Lists the caller's own objects of this kind. */
  listedBy?: Endpoint
  /** The audit event of a successful call, the column of its account that the path names, and the details. */
  viewed?: { event: string; by: 'id' | 'contact'; details(which: string): object }
}

/** Only the veteran who has the object may use it. */
const owned = {
  async targets(name: string): Promise<Targets> {
    const owner = await account()
    const target = await paramsOf[name]!(owner.email)
    const [key, id] = Object.entries(target)[0]!
    return {
      subject: owner,
      owner: { account: owner, params: target },
      params: {
        "the owner's": { [key]: id },
        'a list': { [key]: `${id},${id}` },
        "the owner's account": { [key]: await userIdOf(sql, owner.email) },
        'of nothing': { [key]: randomUUID() },
        'not an id': { [key]: NOT_AN_ID },
      },
    }
  },
  expected({ name, role, which }: Cell): Expected {
    if (role !== 'USER') return wrongRole
    return name === REPEATABLE && !MALFORMED.has(which) ? 'nothing to end' : notFound
  },
}

const isVeterans = (which: string) => /^(the|another) veteran's/.test(which)
const isColleagues = (which: string) => which.startsWith("a colleague's")

/** Staff use what belongs to veterans, and administrators also what belongs to colleagues. */
const forStaff =
  (colleagues: Refusal, shows: (which: string, target: Params) => Expected = () => 'success') =>
  ({ name, role, which }: Cell, target: Params): Expected => {
    if (!endpoints[name]!.roles?.includes(role)) return wrongRole
    if (isVeterans(which) || (isColleagues(which) && role === 'ADMIN')) return shows(which, target)
    return isColleagues(which) ? colleagues : notFound
  }

const [todoIds, claimIds] = [new Map<string, string>(), new Map<string, string>()]

/** A veteran with a to-do and a claim; a colleague's document is no to-do. */
async function newSubject(role: Role = 'USER') {
  const created = await account(role)
  const [userId, contactId] = [
    await userIdOf(sql, created.email),
    await linkContact(sql, created.email),
  ]
  if (role !== 'USER') await crmDocument(contactId)
  else {
    todoIds.set(userId, await crmDocument(contactId, { due_date: day(-1) }))
    claimIds.set(userId, await claim(contactId))
  }
  return { account: created, userId, contactId }
}

async function accountTargets(): Promise<Targets> {
  const veteran = await newSubject()
  const [other, inCapitals] = [await newSubject(), await newSubject()]
  const colleague = await newSubject('STAFF')
  return {
    subject: veteran.account,
    user: veteran.account,
    params: {
      "the veteran's": { id: veteran.userId },
      "another veteran's": { id: other.userId },
      "another veteran's in capital letters": { id: inCapitals.userId.toUpperCase() },
      "a colleague's": { id: colleague.userId },
      'of another kind': { id: veteran.contactId },
      'of nothing': { id: randomUUID() },
      'not an id': { id: NOT_AN_ID },
    },
  }
}

const kinds: Readonly<Record<string, Kind>> = {
  'documents of veterans': {
    ...owned,
    endpoints: ['replaceDocument', 'getContent'],
    listedBy: getDocuments,
  },
  'unfinished uploads of veterans': {
    ...owned,
    endpoints: ['getUploadOffset', 'appendToUpload', 'deleteUpload', 'finishUpload'],
    listedBy: getUnfinishedUploads,
  },
  'hand-offs of veterans': { ...owned, endpoints: ['getHandOff', 'endHandOff'] },
  'contacts, for staff': {
    endpoints: ['getDocumentsOf'],
    async targets() {
      const [veteran, other, colleague] = [await account(), await account(), await account('STAFF')]
      const contactOf = async ({ email }: Account) => ({ id: await linkContact(sql, email) })
      return {
        subject: veteran,
        user: veteran,
        params: {
          "the veteran's": await contactOf(veteran),
          "another veteran's": await contactOf(other),
          "a colleague's": await contactOf(colleague),
          'of another kind': { id: await userIdOf(sql, veteran.email) },
          'of nothing': { id: UNKNOWN_CONTACT },
          'of nothing in the form of another kind': { id: randomUUID() },
          'not an id': { id: NOT_AN_ID },
        },
      }
    },
    expected: forStaff(notFound, () => ({ shows: [] })),
    viewed: { event: 'documents_viewed', by: 'contact', details: () => ({ rows: 0 }) },
  },
  'files, for staff': {
    endpoints: ['getContentOf'],
    async targets() {
      const [veteran, colleague] = [await account(), await account('STAFF')]
      const userId = await userIdOf(sql, veteran.email)
      const id = await addStoredDocument(testApp, veteran.email)
      return {
        subject: veteran,
        user: veteran,
        params: {
          "the veteran's": { userId, id },
          "a colleague's": {
            userId: await userIdOf(sql, colleague.email),
            id: await addStoredDocument(testApp, colleague.email),
          },
          'of another kind': { userId: await userIdOf(sql, (await account()).email), id },
          'of nothing': { userId, id: randomUUID() },
          'not an id': { userId, id: NOT_AN_ID },
        },
      }
    },
    expected: forStaff(notFound),
  },
  // Staff may know of a colleague's account, because they can list every account.
  'accounts, for staff': {
    endpoints: [
      'getCrmRefusals',
      'getEmailReachable',
      'getDeliveriesOf',
      'updateUser',
      'previewContact',
      'getFolder',
      'previewFolder',
      'deactivateUser',
      'reactivateUser',
      'resetUserPassword',
    ],
    targets: accountTargets,
    expected: forStaff(veteransOnly),
  },
  'links to confirm, for staff': {
    endpoints: ['getLinkToConfirm', 'decideLink'],
    async targets() {
      const { params: accounts, ...rest } = await accountTargets()
      const entries = await Promise.all(
        Object.entries(accounts).map(async ([which, { id }]) => {
          const isAccount =
            isUuid(id!) && (await sql.query('select from users where id = $1', [id])).rowCount
          return [which, { id: isAccount ? await addWaitingLink(sql, id!) : id! }] as const
        }),
      )
      return { ...rest, params: Object.fromEntries(entries) }
    },
    expected: forStaff(veteransOnly),
  },
  'progress of accounts, for staff': {
    endpoints: ['getProgressOf'],
    targets: accountTargets,
    expected: forStaff(veteransOnly, (which, { id }) => {
      if (isColleagues(which)) return { shows: { todo: [], claims: [] } }
      const userId = id!.toLowerCase()
      const todo = [{ kind: 'overdueDocument', id: todoIds.get(userId) }]
      return { shows: { todo, claims: [{ id: claimIds.get(userId) }] } }
    }),
    viewed: {
      event: 'progress_viewed',
      by: 'id',
      details: (which) => (isColleagues(which) ? { todo: 0, claims: 0 } : { todo: 1, claims: 1 }),
    },
  },
}

const queryTextOf = async (name: string) => {
  const query = await queryOf[name]?.()
  return query ? `?${new URLSearchParams(query).toString()}` : ''
}

/** Sends a valid request about the object. */
async function probe(client: TestClient, name: string, target: Params, subject: Account) {
  const endpoint = endpoints[name]!
  const { status, body, headers } = await client.send(
    endpoint.method,
    pathOf(endpoint, target as never) + (await queryTextOf(name)),
    await bodyOf[name]?.(subject),
    HEADERS[name],
  )
  const compared = [...headers].filter(([header]) => !DIFFERENT_EACH_TIME.has(header))
  return { status, body, response: JSON.stringify([status, compared, body]) }
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

interface Result extends Cell, Awaited<ReturnType<typeof probe>> {
  target: Params
  expected: Expected
}

const isShown = (expected: Expected): expected is 'success' | { shows: object } =>
  expected === 'success' || (typeof expected === 'object' && 'shows' in expected)

function isAsExpected({ name, status, body, expected }: Result): boolean {
  if (isShown(expected)) return status >= 200 && status < 300
  if (expected === 'nothing to end') return status === 204
  const { code, message } = expected
  // A response to HEAD has no body.
  const wanted = endpoints[name]!.method === 'HEAD' ? '' : { code, message }
  return status === expected.status && isDeepStrictEqual(body, wanted)
}

/** The responses that differ from the response to the same caller about nothing, and must not. */
const differentFromMissing = (results: readonly Result[]) =>
  results.filter(({ name, role, which, response, expected }) => {
    if (MALFORMED.has(which) || expected === veteransOnly || isShown(expected)) return false
    const missing = results.find(
      (one) => one.name === name && one.role === role && one.which === 'of nothing',
    )
    return response !== missing?.response
  })
const named = ({ name, role, which, status, body }: Result) =>
  `${name}, ${role}, ${which}: ${status} ${JSON.stringify(body).slice(0, 200)}`

/** Every role tries every id at an endpoint. Tells whether that changed an object of a veteran. */
async function tryEndpoint(name: string, { targets, expected }: Kind) {
  const results: Result[] = []
  const prepared = []
  for (const role of ROLES) {
    const target = await targets(name)
    const caller = role === 'USER' && target.user ? target.user : await account(role)
    prepared.push({ role, ...target, client: await withSession(caller) })
  }
  const before = await hashOfRows()
  for (const { role, client, subject, params: ids } of prepared) {
    for (const [which, target] of Object.entries(ids)) {
      const cell = { name, role, which }
      const result = await probe(client, name, target, subject)
      results.push({ ...cell, ...result, target, expected: expected(cell, target) })
    }
  }
  const changed = (await hashOfRows()) !== before
  const refusedToOwner: string[] = []
  for (const { owner } of prepared) {
    if (!owner) continue
    // The object exists, and the request is valid.
    const { status } = await probe(
      await withSession(owner.account),
      name,
      owner.params,
      owner.account,
    )
    if (status < 200 || status > 299) refusedToOwner.push(`${name}: ${status}`)
  }
  return { results, changed: changed ? [name] : [], refusedToOwner }
}

const objectRoutes = (all: Readonly<Record<string, Endpoint>>) =>
  Object.keys(all).filter((name) => all[name]!.path.includes('{'))
const names = objectRoutes(endpoints)

it('every endpoint with an id in its path has an object to try, and a missing one is detected', () => {
  expect(unmatchedNames(names, Object.keys(paramsOf))).toEqual([])
  const tried = Object.values(kinds).flatMap((kind) => kind.endpoints)
  expect([...tried, NAMES_NO_OBJECT].toSorted()).toEqual(names.toSorted())
  const added = {
    ...endpoints,
    added: { ...endpoints['getContent']!, path: '/added/{id}' },
  } as const
  expect(unmatchedNames(objectRoutes(added), Object.keys(paramsOf))).toEqual(['added'])
})

it.each(Object.entries(kinds))(
  '%s: what a caller may not use is the same as a missing one and does not change, and each view is recorded',
  async (title, kind) => {
    const tries = []
    for (const name of kind.endpoints) tries.push(await tryEndpoint(name, kind))
    const results = tries.flatMap((one) => one.results)
    const leaks = differentFromMissing(results).map(named)
    const wrong = results.filter((result) => !isAsExpected(result)).map(named)
    const changed = tries.flatMap((one) => one.changed)
    figures(title, {
      endpoints: kind.endpoints.length,
      roles: ROLES.length,
      ids: results.length / (kind.endpoints.length * ROLES.length),
      cells: results.length,
      leaks: leaks.length,
      wrong: wrong.length,
      'endpoints that changed an object': changed.length,
    })
    headline.sum({ cells: results.length, leaks: leaks.length, wrong: wrong.length })
    expect(leaks).toEqual([])
    expect(wrong).toEqual([])
    expect(changed).toEqual([])
    expect(tries.flatMap((one) => one.refusedToOwner)).toEqual([])
    for (const { body, shows } of results.flatMap(bodiesShown)) expect(body).toMatchObject(shows)
    if (kind.viewed) await expectViewsRecorded(kind.viewed, results)
    if (kind.listedBy) await expectNothingListed(kind.listedBy)
  },
)

const bodiesShown = ({ body, expected }: Result) =>
  typeof expected === 'object' && 'shows' in expected ? [{ body, shows: expected.shows }] : []

/** Every successful call, with counts only, and no refused one. */
async function expectViewsRecorded(
  { event, by, details }: NonNullable<Kind['viewed']>,
  results: readonly Result[],
) {
  const views = results.filter(({ expected }) => isShown(expected))
  expect(views.length).toBeGreaterThan(0)
  const { rows } = await sql.query<object>(
    `select ${by === 'id' ? 'users.id' : 'contact_id'} as id, details
     from audit_events join users on users.id = subject_id
     left join links on links.user_id = users.id and links.state = 'live'
     where event = $1 order by at`,
    [event],
  )
  expect(rows).toEqual(
    views.map(({ target, which }) => ({
      id: target['id']!.toLowerCase(),
      details: details(which),
    })),
  )
}

/** The objects of others are not in anybody's own list. */
async function expectNothingListed({ method, path }: Endpoint) {
  for (const role of ROLES) {
    const { body } = await (await withSession(await account(role))).send(method, path)
    expect(body).toMatchObject(role === 'USER' ? [] : { code: wrongRole.code })
  }
}

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
