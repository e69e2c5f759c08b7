import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { listUsers, managedUser } from '@guidon/contract/manage-users'
import { bootWithListing, lastNames, ODD_NAMES } from '@guidon/tests/listing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase, openPool } from '../../db/database.ts'
import { primaryReader } from '../../db/reader.ts'
import type { Streamed } from '../../http/send-json.ts'
import { tokens } from '../../platform/tokens.ts'
import { cursors } from './cursor.ts'
import { listing } from './listing.ts'

const { testApp, staff, list, add, viewsRecorded } = await bootWithListing()
const { base, sql } = testApp

const COPYING = `from pg_stat_activity where datname = current_database() and state = 'active'
  and query like 'copy (%'`

async function countCopies(): Promise<number> {
  const { rows } = await sql.query(`select ${COPYING}`)
  return rows.length
}

/** Requests a listing and reads nothing, so that PostgreSQL has to wait. */
async function requestUnread() {
  const cookie = [...staff.cookies].map((pair) => pair.join('=')).join('; ')
  const sent = request(`${base}${listUsers.path}`, { headers: { cookie } })
  sent.on('error', () => {})
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { sent, response: response.pause() }
}

async function withLongRows(use: () => Promise<void>): Promise<void> {
  await add(Array.from({ length: 2_000 }, () => ({ last: 'Long' })))
  await sql.query(`update users set first_name = repeat('7', 10000) where last_name = 'Long'`)
  await use()
  await sql.query(`delete from users where last_name = 'Long'`)
}

describe('the whole listing', () => {
  it('contains every account with its fields, newest first, and the total', async () => {
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

  it('keeps quotes, backslashes, line ends and control characters in names', async () => {
    await add(ODD_NAMES.map((last) => ({ last, first: 'Odd' })))
    const listed = await list({ sortBy: 'firstName', order: 'desc' })
    const odd = listed.users.filter(({ firstName }) => firstName === 'Odd')
    expect(lastNames({ ...listed, users: odd }).toSorted()).toEqual(ODD_NAMES.toSorted())
  })

  it('is compressed if the client accepts it, and never cached', async () => {
    const gzipped = await staff.send('GET', listUsers.path, undefined, {
      'accept-encoding': 'gzip',
    })
    const plain = await staff.send('GET', listUsers.path, undefined, {
      'accept-encoding': 'identity',
    })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(gzipped.body).toEqual(plain.body)
    for (const { headers } of [gzipped, plain]) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-type')).toContain('application/json')
    }
  })

  it.each(['email', 'lastName', 'firstName', 'role', 'createdAt'] as const)(
    'is sorted by %s in both directions',
    async (sortBy) => {
      const up = await list({ sortBy, order: 'asc' })
      const down = await list({ sortBy, order: 'desc' })
      expect(down.users).toEqual(up.users.toReversed())
      const values = up.users.map((user) => Buffer.from(user[sortBy].toLowerCase()))
      expect(values).toEqual(values.toSorted(Buffer.compare))
    },
  )

  it('is recorded in the audit log', async () => {
    const before = (await viewsRecorded()).length
    await list()
    expect((await viewsRecorded()).length).toBe(before + 1)
  })

  it('stops when the client disconnects, and releases the connection', () =>
    withLongRows(async () => {
      for (let reader = 0; reader < 5; reader += 1) {
        const { sent } = await requestUnread()
        expect(await countCopies()).toBe(1)
        sent.destroy()
        await vi.waitUntil(async () => (await countCopies()) === 0, 60_000)
      }
      expect((await list()).users.length).toBeGreaterThan(2_000)
    }))

  it('that is interrupted ends with an error', () =>
    withLongRows(async () => {
      const { response } = await requestUnread()
      await sql.query(`select pg_terminate_backend(pid) ${COPYING}`)
      await expect(text(response)).rejects.toThrow('aborted')
    }))
})

it('runs one listing of a member of staff at a time, refuses too many, and does not delay others', async () => {
  const { DATABASE_URL: url } = testApp.config
  const pool = openPool({ url, size: 2, statementTimeoutMs: 0, onIdleError: () => {} })
  onTestFinished(() => pool.end())
  const db = openDatabase(pool)
  const { list: listUsersAs } = listing({
    db,
    reader: primaryReader(db),
    cursors: cursors(tokens(testApp.config.TOKEN_KEY)),
    stream: () => new PassThrough(),
  })
  const { rows } = await sql.query<{ id: string }>('select id from users limit 2')
  const [staffId, colleagueId] = rows.map(({ id }) => id)
  const all = listUsers.query.parse({})
  const begin = async (actorId: string) =>
    (await listUsersAs(actorId, all, { afterOwnWrite: false })) as Streamed
  const zipped = false
  const first = await begin(staffId!)
  const run = async (actorId: string) => void (await begin(actorId))(zipped).destroy()
  // Two of them wait, and one is refused.
  const more = [1, 2, 3].map(() => run(staffId!))
  await expect(Promise.race(more)).rejects.toMatchObject({
    refusal: { status: 429, code: 'too_many_listings' },
    details: { retryAfterSeconds: 5 },
  })
  await run(colleagueId!)
  first(zipped).destroy()
  const ends = await Promise.allSettled(more)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

it('returns a page and the total if there are more accounts than a listing holds', async () => {
  const more = 100_000
  // Makes the insert faster.
  await sql.query('drop index users_search')
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role)
     select n || '@many.example', 'none', 'Many', 'People', '6195550134', 'California', 'USER'
     from generate_series(1, ${more}) as n`,
  )
  const first = await list({ limit: more })
  expect(first.total).toBeGreaterThan(more)
  expect(first.users).toHaveLength(100)
  const second = await list({ limit: 25, cursor: first.next! })
  expect(second).toMatchObject({ total: first.total, users: { length: 25 } })
})
