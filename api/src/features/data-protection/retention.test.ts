import { checkAuth, login, refresh } from '@guidon/contract/auth'
import { register } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { RETENTION, sweepAll } from '@guidon/tests/sweep'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepRecords } from './retention.ts'

const testApp = await boot({ worker: false })
const db = databaseAt(testApp.config.DATABASE_URL, 4)
/** A second app, without the rows that the other tests insert. */
const busyApp = await boot()
const busyDb = databaseAt(busyApp.config.DATABASE_URL, 2)

const { sql } = testApp
const bytes = `sha256(uuidv7()::text::bytea)`

/** The account that owns the rows of these tests. */
let userId = ''
let documentId = ''
beforeAll(async () => {
  const { email } = await testApp.account()
  const user = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  userId = user.rows[0]!.id
  const document = await sql.query<{ id: string }>(
    `insert into documents (user_id, name, type, size, sha256) values ($1, 'a.pdf', 'Other', 1, '')
     returning id`,
    [userId],
  )
  documentId = document.rows[0]!.id
})

/** Inserts a row that is this old. Returns its key. */
type Insert = (hours: number, mins: number) => Promise<{ rows: { key: string }[] }>
const ago = 'now() - make_interval(hours => $1, mins => $2)'
const inserting =
  (text: string, ...more: (() => unknown)[]): Insert =>
  (hours, mins) =>
    sql.query<{ key: string }>(text, [hours, mins, ...more.map((value) => value())])

const DAY = 24
const user = () => userId
const document = () => documentId

/** The documented rules, independent of those that the sweep uses. */
const DOCUMENTED: [table: string, hours: number, key: string, insert: Insert][] = [
  [
    'reset_tokens',
    DAY,
    'token_hash',
    inserting(
      `insert into reset_tokens (token_hash, user_id, expires_at)
       values (${bytes}, $3, ${ago}) returning token_hash::text as key`,
      user,
    ),
  ],
  [
    'sessions',
    2 * DAY,
    'id',
    inserting(
      `with opened as (
         insert into sessions (user_id, idle_limit, expires_at)
         values ($3, '30 minutes', ${ago}) returning id),
       held as (
         insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
         select id, ${bytes}, now(), ${bytes} from opened)
       select id::text as key from opened`,
      user,
    ),
  ],
  [
    'sign_ups',
    DAY,
    'id',
    inserting(
      `insert into sign_ups (email, password_hash, first_name, last_name, phone, state,
         consents, created_at)
       values (uuidv7() || '@example.com', '', 'Never', 'Proved', '6195550100', 'Ohio', '[]', ${ago})
       returning id::text as key`,
    ),
  ],
  [
    'consents',
    6 * 365 * DAY,
    'id',
    inserting(
      `with text as (
         insert into consent_texts (hash, title, shown) values (${bytes}, 'Questions', 'You may ask me.') returning hash)
       insert into consents (user_id, kind, version, text_hash, withdrawn_at)
       select $3, 'feedback', '1', hash, ${ago} from text returning id::text as key`,
      user,
    ),
  ],
  [
    'limits',
    0,
    'key',
    inserting(
      `insert into limits (key, count, resets_at) values (${bytes}, 3, ${ago})
       returning key::text as key`,
    ),
  ],
  [
    'box_folders',
    7 * DAY,
    'folder_id',
    inserting(
      `insert into box_folders (user_id, folder_id, opened_at)
       values ($3, (1000 + random() * 1000000)::int::text, ${ago}) returning folder_id as key`,
      user,
    ),
  ],
  [
    'misplaced_files',
    7 * DAY,
    'file_id',
    inserting(
      `insert into misplaced_files (user_id, file_id, found_at)
       values ($3, (1000 + random() * 1000000)::int::text, ${ago}) returning file_id as key`,
      user,
    ),
  ],
  [
    'sent_mails',
    30 * DAY,
    'job_id',
    inserting(
      `insert into sent_mails (job_id, sent_at) values (uuidv7(), ${ago})
       returning job_id::text as key`,
    ),
  ],
  [
    'deliveries',
    90 * DAY,
    'id',
    inserting(
      `insert into deliveries (user_id, kinds, state, queued_at)
       values ($3, '{code}', 'sent', ${ago}) returning id::text as key`,
      user,
    ),
  ],
  [
    'notices',
    180 * DAY,
    'id',
    inserting(
      `insert into notices (user_id, event, subject_id, subject_version, due_at, created_at, sent_at)
       values ($3, 'claimStep', uuidv7()::text, '', now(), ${ago}, now()) returning id::text as key`,
      user,
    ),
  ],
  [
    'crm_outbox',
    30 * DAY,
    'number',
    inserting(
      `insert into crm_outbox (user_id, kind, entity_id, sent_at)
       values ($3, 'document', uuidv7(), ${ago}) returning number::text as key`,
      user,
    ),
  ],
  [
    'uploads',
    30 * DAY,
    'id',
    inserting(
      `insert into uploads (document_id, user_id, size, sha1, stored_at)
       values ($4, $3, 1, '', ${ago}) returning id::text as key`,
      user,
      document,
    ),
  ],
  // The next two tables have a row for each day: `- $2` gives the kept and the expired row different days.
  [
    'crm_api_usage',
    30 * DAY,
    'day',
    inserting(
      `insert into crm_api_usage (day, used, allowed, at)
       values ((${ago})::date - $2::int, 1, 2, ${ago}) returning day::text as key`,
    ),
  ],
  [
    'crm_calls',
    30 * DAY,
    'day',
    inserting(
      `insert into crm_calls (day, purpose, calls, at)
       values ((${ago})::date - $2::int, 'tick', 1, ${ago}) returning day::text as key`,
    ),
  ],
  [
    'devices',
    400 * DAY,
    'token_hash',
    inserting(
      `insert into devices (user_id, token_hash, seen_at) values ($3, ${bytes}, ${ago})
       returning token_hash::text as key`,
      user,
    ),
  ],
  [
    'hand_offs',
    1,
    'user_id',
    // An account has at most one.
    inserting(
      `with account as (
         insert into users (email, password_hash, first_name, last_name, phone, state, role)
         values (uuidv7() || '@example.com', '', 'A', 'Veteran', '6195550100', 'Ohio', 'USER')
         returning id),
       opened as (
         insert into sessions (user_id, idle_limit, expires_at)
         select id, '30 minutes', now() + interval '1 hour' from account returning id, user_id)
       insert into hand_offs (user_id, session_id, token_hash, document_type, expires_at)
       select user_id, id, ${bytes}, 'Other', ${ago} from opened returning user_id::text as key`,
    ),
  ],
  [
    'audit_sources',
    90 * DAY,
    'id',
    inserting(
      `insert into audit_sources (transaction, id, address, at)
       values ('1', uuidv7(), ${bytes}, ${ago}) returning id::text as key`,
    ),
  ],
]

const keysOf = async (table: string, column: string) => {
  const { rows } = await sql.query<{ key: string }>(`select ${column}::text as key from ${table}`)
  return rows.map(({ key }) => key)
}

describe('the hourly sweep', () => {
  it('has a documented rule for each table', () => {
    const tables = RETENTION.map(({ table }) => table)
    expect(DOCUMENTED.map(([table]) => table).toSorted()).toEqual(tables.toSorted())
  })

  it.each(DOCUMENTED)(
    'deletes rows of %s that expired %i hours ago',
    async (table, hours, key, insert) => {
      const kept = (await insert(hours, -1)).rows[0]!.key
      const expired = (await insert(hours, 1)).rows[0]!.key
      const deleted = await sweepAll(db)
      expect(deleted).toMatchObject({ [table]: 1 })
      const left = await keysOf(table, key)
      expect(left).toContain(kept)
      expect(left).not.toContain(expired)
      expect(Object.values(await sweepAll(db)).every((count) => count === 0)).toBe(true)
    },
  )

  it('leaves no token of a deleted session', async () => {
    const { rows } = await sql.query(
      'select from session_tokens t where not exists (select from sessions where id = t.session_id)',
    )
    expect(rows).toEqual([])
  })

  it('deletes more than one batch', async () => {
    await sql.query(
      `insert into limits (key, count, resets_at)
       select sha256(n::text::bytea), 1, now() - interval '1 minute' from generate_series(1, 2500) n`,
    )
    expect((await sweepAll(db))['limits']).toBe(2500)
  })

  it('does not wait for locked rows: they are deleted at the next run', async () => {
    await sql.query(
      `insert into limits (key, count, resets_at) values ('held', 1, now() - interval '1 hour')`,
    )
    await sql.query('begin')
    await sql.query(`select from limits where key = 'held' for update`)
    expect((await sweepAll(db))['limits']).toBe(0)
    await sql.query('commit')
    expect((await sweepAll(db))['limits']).toBe(1)
  })

  it('keeps unsent outbox entries, waiting uploads and the outbox entry of a contact', async () => {
    await sql.query(
      `insert into crm_outbox (user_id, kind, entity_id, created_at, sent_at)
       values ($1, 'document', uuidv7(), now() - interval '1 year', null),
         ($1, 'contact', $1, now() - interval '1 year', now() - interval '1 year')`,
      [userId],
    )
    await sql.query(
      `insert into uploads (document_id, user_id, size, sha1, received_at)
       values ($1, $2, 1, '', now() - interval '1 year')`,
      [documentId, userId],
    )
    expect(await sweepAll(db)).toMatchObject({ crm_outbox: 0, uploads: 0 })
  })
})

describe('a sweep during live traffic', () => {
  it('does not disturb sign-ins, sessions and sign-ups', async () => {
    const account = await busyApp.account()
    const client = await busyApp.signedIn(account)
    // Many expired sessions of the same account, so that the sweep is busy during the requests.
    await busyApp.sql.query(
      `insert into sessions (user_id, idle_limit, expires_at)
       select id, '30 minutes', now() - interval '2 days' from users, generate_series(1, 5000)`,
    )
    const stopping = new AbortController()
    let sweeps = 0
    const sweeping = (async () => {
      while (!stopping.signal.aborted) {
        await sweepAll(busyDb)
        sweeps += 1
      }
    })()
    const wrong = { email: 'nobody@example.com', password: 'Wrong-Lantern-42!' }
    const statuses = new Set<string>()
    for (let round = 0; round < 20; round += 1) {
      const [check, renewed, refused, started] = await Promise.all([
        client.call(checkAuth, {}),
        client.call(refresh, {}),
        busyApp.newClient().call(login, { body: { ...wrong, email: `${round}@example.com` } }),
        busyApp
          .newClient()
          .call(register, { body: { ...NEWCOMER, email: `new-${round}@example.com` } }),
      ])
      statuses.add([check, renewed, refused, started].map(({ status }) => status).join(' '))
    }
    await busyApp.signedUp()
    stopping.abort()
    await sweeping
    expect([...statuses]).toEqual(['200 204 400 202'])
    expect(sweeps).toBeGreaterThan(20)
  })
})

it('the sweep is scheduled, and the worker logs the deleted rows', async () => {
  const live = await boot()
  await live.sql.query(
    `insert into limits (key, count, resets_at) values ('over', 1, now() - interval '1 hour')`,
  )
  await live.send(sweepRecords, {})
  await expect
    .poll(() => live.logged())
    .toContain('"kind":"limits","count":1,"msg":"retention: rows deleted"')
  const { rows } = await live.sql.query(`select cron from pgboss.schedule where name = $1`, [
    sweepRecords.name,
  ])
  expect(rows).toEqual([{ cron: sweepRecords.every }])
})
