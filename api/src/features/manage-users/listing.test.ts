import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { listUsers, managedUser, pageGone } from '@guidon/contract/manage-users'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { boot } from '../../../test/boot.ts'
import { openDatabase, openPool } from '../../db/database.ts'
import type { Streamed } from '../../http/send-json.ts'
import { tokens } from '../../platform/tokens.ts'
import { cursors } from './cursor.ts'
import { listing } from './listing.ts'

const testApp = await boot()
const { base, sql } = testApp
const staff = await testApp.signedIn(await testApp.account('STAFF'))

interface Listed {
  users: ManagedUser[]
  total: number
  next: string | null
}

/** By the contract's own schema: the stream itself is checked by nobody on its way. */
async function list(query: Record<string, string | number> = {}): Promise<Listed> {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const { status, body } = await staff.send('GET', `${listUsers.path}?${parts.join('&')}`)
  expect(status).toBe(200)
  return listUsers.response.parse(body)
}

/** Straight into the table: many, and with names that no form would let through. */
async function add(people: Partial<Record<'email' | 'first' | 'last' | 'role', string>>[]) {
  const rows = people.map(({ email = `${randomUUID()}@example.com`, ...person }) => ({
    email,
    first: 'James',
    last: 'Whitfield',
    role: 'USER',
    ...person,
  }))
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role,
       email_verified_at)
     select email, 'none', first, last, '6195550134', 'California', role, now()
     from jsonb_to_recordset($1) as given (email text, first text, last text, role text)`,
    [JSON.stringify(rows)],
  )
}

const lastNames = ({ users }: Listed) => users.map(({ lastName }) => lastName)

/** Every page, from the first to the end. */
async function pages(query: Record<string, string | number>): Promise<Listed[]> {
  const all = [await list(query)]
  for (let { next } = all[0]!; next !== null; { next } = all.at(-1)!) {
    all.push(await list({ ...query, cursor: next }))
  }
  return all
}

const ODD = [
  `O'Brien "Bo" \\ Smith`,
  'back\\\\slashes\\n',
  'tab\tnew\nline\r\n',
  '\\.',
  'N\\A \u0001\u0002\u001f',
  '💙 Ñandú </script>',
  'comma, {"list":[1]}',
  '',
]

const COPYING = `from pg_stat_activity where datname = current_database() and state = 'active'
  and query like 'copy (%'`

async function copies(): Promise<number> {
  const { rows } = await sql.query(`select ${COPYING}`)
  return rows.length
}

/** A listing of which nothing is read yet, so PostgreSQL is held up in the middle. */
async function unread() {
  const cookie = [...staff.cookies].map((pair) => pair.join('=')).join('; ')
  const sent = request(`${base}${listUsers.path}`, { headers: { cookie } })
  sent.on('error', () => {})
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { sent, answer: answer.pause() }
}

async function withLongRows(use: () => Promise<void>): Promise<void> {
  await add(Array.from({ length: 2_000 }, () => ({ last: 'Long' })))
  await sql.query(`update users set box_folder_id = repeat('7', 10000) where last_name = 'Long'`)
  await use()
  await sql.query(`delete from users where last_name = 'Long'`)
}

describe('the whole listing', () => {
  it('holds every account with its fields, newest first, and how many there are', async () => {
    const listed = await list()
    const { rows } = await sql.query<{ id: string }>(
      'select id from users order by created_at desc',
    )
    expect(listed.users.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(listed).toMatchObject({ total: rows.length, next: null })
    expect(Object.keys(listed.users[0]!).toSorted()).toEqual(
      Object.keys(managedUser.shape).toSorted(),
    )
  })

  it('carries names with quotes, backslashes, line ends and control characters unharmed', async () => {
    await add(ODD.map((last) => ({ last, first: 'Odd' })))
    const listed = await list({ sortBy: 'firstName', order: 'desc' })
    const odd = listed.users.filter(({ firstName }) => firstName === 'Odd')
    expect(lastNames({ ...listed, users: odd }).toSorted()).toEqual(ODD.toSorted())
  })

  it('is compressed for whoever takes that, plain for others, and kept by no proxy', async () => {
    const zipped = await staff.send('GET', listUsers.path, undefined, { 'accept-encoding': 'gzip' })
    const plain = await staff.send('GET', listUsers.path, undefined, {
      'accept-encoding': 'identity',
    })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(zipped.body).toEqual(plain.body)
    for (const { headers } of [zipped, plain]) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-type')).toContain('application/json')
    }
  })

  it.each(['email', 'lastName', 'firstName', 'role', 'createdAt'] as const)(
    'is sorted by %s, either way',
    async (sortBy) => {
      const up = await list({ sortBy, order: 'asc' })
      const down = await list({ sortBy, order: 'desc' })
      expect(down.users).toEqual(up.users.toReversed())
      const values = up.users.map((user) => Buffer.from(user[sortBy].toLowerCase()))
      expect(values).toEqual(values.toSorted(Buffer.compare))
    },
  )

  it('says in the log that it was looked at', async () => {
    const before = await looks()
    await list()
    expect(await looks()).toBe(before + 1)
  })

  it('ends with a reader who goes away, and gives the connection back', () =>
    withLongRows(async () => {
      for (let reader = 0; reader < 5; reader += 1) {
        const { sent } = await unread()
        expect(await copies()).toBe(1)
        sent.destroy()
        await vi.waitUntil(async () => (await copies()) === 0, 10_000)
      }
      expect((await list()).users.length).toBeGreaterThan(2_000)
    }))

  it('that breaks off in the middle does not pass for a whole one', () =>
    withLongRows(async () => {
      const { answer } = await unread()
      await sql.query(`select pg_terminate_backend(pid) ${COPYING}`)
      await expect(text(answer)).rejects.toThrow('aborted')
    }))
})

async function looks(): Promise<number> {
  const { rows } = await sql.query(`select from audit_events where event = 'users_listed'`)
  return rows.length
}

async function looksOf(): Promise<object[]> {
  const { rows } = await sql.query<{ details: object }>(
    `select details from audit_events where event = 'users_listed' order by transaction, id`,
  )
  return rows.map(({ details }) => details)
}

describe('a cursor', () => {
  const wanted = { sortBy: 'email', order: 'asc', limit: 1 }
  const sentWith = (person: typeof staff, parts: Record<string, string | number>) => {
    const texts = Object.entries(parts).map(([name, value]) => [name, String(value)])
    const query = new URLSearchParams(Object.fromEntries(texts) as Record<string, string>)
    return person.send('GET', `${listUsers.path}?${query.toString()}`)
  }

  const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const nobody = '00000000-0000-0000-0000-000000000000'

  it.each([
    ['nonsense', 'nonsense'],
    ['made by hand', place('', nobody, false, 0)],
    ['made by hand with a signature', `${place('', nobody, false, 0, 1, 9e15)}.${'A'.repeat(43)}`],
    ['of a thousand dots', '.'.repeat(1_000)],
  ])('that is %s is refused with words, and logged', async (_what, cursor) => {
    const from = await looks()
    const { status, body } = await sentWith(staff, { ...wanted, cursor })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: pageGone.code, message: pageGone.message },
    })
    expect(await looks()).toBe(from)
    const { rows } = await sql.query(
      `select from audit_events where event = 'staff_action_refused'
         and details @> '{"action": "GET /admin/users", "status": 422}'`,
    )
    expect(rows.length).toBeGreaterThan(0)
  })

  it('is good for its own person and query only', async () => {
    const { next: cursor } = await list(wanted)
    const colleague = await testApp.signedIn(await testApp.account('STAFF'))
    const foreign = await sentWith(colleague, { ...wanted, cursor: cursor! })
    expect(foreign.status).toBe(422)
    for (const change of [
      { sortBy: 'lastName' },
      { order: 'desc' },
      { q: 'whitfield' },
      { role: 'USER' },
    ]) {
      expect((await sentWith(staff, { ...wanted, ...change, cursor: cursor! })).status).toBe(422)
    }
    expect((await sentWith(staff, { ...wanted, cursor: cursor! })).status).toBe(200)
  })

  it('ends with the longest session of staff', async () => {
    await testApp.account()
    const { next: cursor } = await list(wanted)
    expect((await sentWith(staff, { ...wanted, cursor: cursor! })).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 3_600_000 + 1_000 })
    try {
      expect((await sentWith(staff, { ...wanted, cursor: cursor! })).status).toBe(422)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a page', () => {
  it('follows the one before it, until all accounts were shown once', async () => {
    const whole = await list({ sortBy: 'lastName', order: 'asc' })
    const parts = await pages({ sortBy: 'lastName', order: 'asc', limit: 4 })
    expect(parts.flatMap(({ users }) => users)).toEqual(whole.users)
    expect(parts.every(({ users }) => users.length <= 4)).toBe(true)
    expect(new Set(parts.map(({ total }) => total))).toEqual(new Set([whole.total]))
  })

  it('goes backwards by the moment of creation, to the microsecond', async () => {
    const whole = await list()
    const parts = await pages({ limit: 3 })
    expect(parts.flatMap(({ users }) => users)).toEqual(whole.users)
  })

  it('shows one role where that is asked for', async () => {
    await add([{ role: 'ADMIN', last: 'Adams' }])
    const { users } = await list({ role: 'ADMIN' })
    expect(users.map(({ lastName }) => lastName)).toEqual(['Adams'])
  })

  it('with what begins as searched for comes before what holds it elsewhere', async () => {
    await add([
      { first: 'Johnson', last: 'Zeta' },
      { last: 'Sonora' },
      { last: 'Person', email: 'sonny@example.org' },
      { last: 'Mason' },
      { last: 'Nobody' },
    ])
    const query = { q: 'SON', sortBy: 'lastName', order: 'asc' }
    expect(lastNames(await list(query))).toEqual(['Person', 'Sonora', 'Mason', 'Zeta'])
    const parts = await pages({ ...query, limit: 1 })
    expect(parts.flatMap(lastNames)).toEqual(['Person', 'Sonora', 'Mason', 'Zeta'])
  })

  it('finds first and last name typed together, and one letter only at a beginning', async () => {
    await add([{ first: 'Quincy', last: 'Xavier' }])
    expect(lastNames(await list({ q: 'quincy xav' }))).toEqual(['Xavier'])
    expect(lastNames(await list({ q: 'x' }))).toEqual(['Xavier'])
    expect(lastNames(await list({ q: 'vi' }))).toEqual([])
  })

  it('finds an address by its end and by what stands around its "@", to the letter', async () => {
    await add([
      { last: 'Addressed', email: 'q.zimmer77@kites.example' },
      { last: 'Other', email: 'q.zimmer77@other.example' },
    ])
    expect(lastNames(await list({ q: 'ZIMMER77@kites' }))).toEqual(['Addressed'])
    expect(lastNames(await list({ q: '77@kites.example' }))).toEqual(['Addressed'])
    expect(lastNames(await list({ q: 'zimmer77@_ites' }))).toEqual([])
  })

  it('finds the account with a Salesforce ID', async () => {
    await add([{ last: 'Linked' }])
    const id = '0035g00000AbCdEAA3'
    await sql.query(`update users set salesforce_id = $1 where last_name = 'Linked'`, [id])
    expect(lastNames(await list({ q: id }))).toEqual(['Linked'])
  })

  it('takes what is searched for to the letter', async () => {
    expect((await list({ q: '100%_' })).users).toEqual([])
    expect(lastNames(await list({ q: `o'brien "bo" \\` }))).toEqual([ODD[0]])
  })

  it('is in the log, each with its number and rows, also of all accounts and of a search', async () => {
    const from = await looks()
    const parts = await pages({ sortBy: 'email', order: 'asc', limit: 5 })
    const logged = (await looksOf()).slice(from)
    expect(parts.length).toBeGreaterThan(3)
    expect(logged).toEqual(
      parts.map(({ users }, index) => ({ rows: users.length, page: index + 1 })),
    )
    const found = await list({ q: 'zimmer77', role: 'USER' })
    expect((await looksOf()).at(-1)).toEqual({
      rows: found.users.length,
      page: 1,
      searchLength: 'zimmer77'.length,
      role: 'USER',
    })
    expect(JSON.stringify(await looksOf())).not.toContain('zimmer77')
  })
})

it('of one member of staff runs once at a time; more are refused with words, and of no one else', async () => {
  const { DATABASE_URL: url } = testApp.config
  const pool = openPool({ url, size: 2, statementTimeoutMs: 0, onIdleError: () => {} })
  onTestFinished(() => pool.end())
  const { list: ask } = listing({
    db: openDatabase(pool),
    cursors: cursors(tokens(testApp.config.TOKEN_KEY)),
    stream: () => new PassThrough(),
  })
  const { rows } = await sql.query<{ id: string }>('select id from users limit 2')
  const [one, colleague] = rows.map(({ id }) => id)
  const all = listUsers.query.parse({})
  const begin = async (actorId: string) => (await ask(actorId, all)) as Streamed
  const first = await begin(one!)
  const run = async (actorId: string) => void (await begin(actorId))(false).destroy()
  // Two may wait, whichever they are.
  const more = [1, 2, 3].map(() => run(one!))
  await expect(Promise.race(more)).rejects.toMatchObject({
    refusal: { status: 429, code: 'too_many_listings' },
    details: { retryAfterSeconds: 5 },
  })
  await run(colleague!)
  first(false).destroy()
  const ends = await Promise.allSettled(more)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('an unverified sign-up, which the previous release kept among the accounts, is not listed', async () => {
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role)
     values ('unverified@example.com', 'none', 'Never', 'Proved', '6195550134', 'California', 'USER')`,
  )
  expect((await list({ limit: 10, q: 'unverified@' })).users).toEqual([])
})

it('with more accounts than a listing holds, answers a page and says how many there are', async () => {
  const more = 100_000
  // Only for the speed of this test.
  await sql.query('drop index users_search')
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role,
       email_verified_at)
     select n || '@many.example', 'none', 'Many', 'People', '6195550134', 'California', 'USER', now()
     from generate_series(1, ${more}) as n`,
  )
  const first = await list({ limit: more })
  expect(first.total).toBeGreaterThan(more)
  expect(first.users).toHaveLength(100)
  const second = await list({ limit: 25, cursor: first.next! })
  expect(second).toMatchObject({ total: first.total, users: { length: 25 } })
})
