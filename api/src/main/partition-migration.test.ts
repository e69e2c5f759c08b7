import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connected, databaseAt, emptyDatabase } from '@guidon/tests/databases'
import { sql as raw } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { recordEvent } from '../db/audit-events.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { sealEvents, verifyChain } from '../features/audit/chain.ts'

const MIGRATION = '0027_partitions.sql'
const before = mkdtempSync(join(tmpdir(), 'guidon-before-'))
afterAll(() => rmSync(before, { recursive: true }))
const migrations = resolve(import.meta.dirname, '../../migrations')
for (const name of globSync('*.sql', { cwd: migrations })) {
  if (name < MIGRATION) cpSync(join(migrations, name), join(before, name))
}

/** The statements of the release before the partitions. */
const INSERT_TOKEN = `insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
  values ($1, $2, now() + interval '5 minutes', $2)`
const FIND_SESSION = `select session.user_id from session_tokens as token
  join sessions as session on session.id = token.session_id where token.access_hash = $1`
const INSERT_CHALLENGE = `insert into challenges (token_hash, user_id, purpose, expires_at)
  select $1, id, 'login', now() + interval '30 minutes' from users returning id`
const COUNT_TRY =
  'update challenges set code_tries = code_tries + 1 where id = $1 returning code_tries'
const USE_TOKEN = `update session_tokens set used_at = now() where session_id = $1 and retired_at is null`
const SWEEP = `with due as (
    select id from challenges where expires_at < now() - make_interval(hours => $1::int)
    order by expires_at limit 1000 for update skip locked),
  gone as (delete from challenges using due where challenges.id = due.id returning 1)
  select count(*)::int as count from gone`

const INDEX_FILES = `select relname as name, relfilenode as file from pg_class
  where relname in ('audit_events_pkey', 'audit_events_subject', 'challenges_token', 'session_tokens_access')
    and relnamespace = $1::regnamespace order by relname`

it('keeps every row and the audit log, and the statements of the previous release still work', async () => {
  const url = await emptyDatabase()
  const pool = openPool({
    url,
    size: 2,
    statementTimeoutMs: 0,
    asOwner: true,
    onIdleError: () => {},
  })
  afterAll(() => pool.end())
  const owner = openDatabase(pool)
  await migrate(owner, before)
  const sql = await connected(url)
  const appConnection = await connected(`${url}?options=-c%20role%3Dguidon_app`)
  afterAll(() => Promise.all([sql.end(), appConnection.end()]))
  const run = (text: string, values: unknown[]) =>
    appConnection.query<Record<string, unknown>>({ name: text.slice(0, 40), text, values })

  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role)
     values ('a@example.com', '', 'A', 'B', '6195550100', 'Ohio', 'USER')`,
  )
  const session = await sql.query<{ id: string }>(
    `insert into sessions (user_id, idle_limit, expires_at)
     select id, '30 minutes', now() + interval '1 hour' from users returning id`,
  )
  const sessionId = session.rows[0]!.id
  const db = databaseAt(url, 2)
  const use = async (token: string) => {
    await run(INSERT_TOKEN, [sessionId, Buffer.from(token)])
    const { rows } = await run(INSERT_CHALLENGE, [Buffer.from(token)])
    expect((await run(COUNT_TRY, [rows[0]!['id']])).rows).toEqual([{ code_tries: 1 }])
    expect((await run(USE_TOKEN, [sessionId])).rowCount).toBeGreaterThan(0)
    expect((await run(SWEEP, [1])).rows).toEqual([{ count: 0 }])
    await recordEvent(db, { event: 'signed_in', details: { token } })
    await vi.waitUntil(async () => {
      await sealEvents(db)
      const { rowCount } = await sql.query(
        `select from audit_events where transaction > coalesce(
           (select max(until_transaction) from audit_seals), '0'::xid8)`,
      )
      return rowCount === 0
    }, 60_000)
  }

  await use('before')
  const files = (await sql.query(INDEX_FILES, ['public'])).rows
  expect(await migrate(owner)).toContain(MIGRATION)
  // The files of the indexes are the same: none was built again.
  expect((await sql.query(INDEX_FILES, ['partitions'])).rows).toEqual(files)
  await use('after')
  for (const token of ['before', 'after']) {
    expect((await run(FIND_SESSION, [Buffer.from(token)])).rows).toHaveLength(1)
  }
  expect(await verifyChain(db)).toMatchObject({ broken: undefined, events: 2, unsealed: 0 })
  const { rows } = await raw<{ details: object }>`
    select details from audit_events order by transaction, id`.execute(db)
  expect(rows).toEqual([{ details: { token: 'before' } }, { details: { token: 'after' } }])

  await sql.query('delete from users')
  const left = await sql.query(
    `select from challenges union all select from session_tokens union all select from sessions`,
  )
  expect(left.rows).toEqual([])
})
