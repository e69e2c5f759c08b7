import { checkAuth } from '@guidon/contract/auth'
import { CHALLENGE_MINUTES, CODE_MINUTES, SESSION_HOURS } from '@guidon/contract/limits'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { sql as raw } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { recordEvent } from '../db/audit-events.ts'
import { dropExpiredPartitions, makePartitions, partitionState } from '../db/partitions.ts'
import { sealEvents, verifyChain } from '../features/audit/chain.ts'
import { partitionTables } from '../features/data-protection/partitions.ts'
import { tokens } from '../platform/tokens.ts'

const testApp = await boot()
const { sql, config } = testApp
const db = databaseAt(config.DATABASE_URL, 2)
const randomHash = `sha256(uuidv7()::text::bytea)`

/** Partitions are named after their day or month, in UTC. */
const nameOf = async (expression: string): Promise<string> =>
  (await sql.query<{ name: string }>(`select ${expression} as name`)).rows[0]!.name
const dayName = (table: string, ahead: number) =>
  nameOf(`'${table}_' || to_char((now() at time zone 'UTC')::date + ${ahead}, 'YYYYMMDD')`)
const idAhead = (days: number) => `uuidv7(interval '${days} days')`

async function openSession(): Promise<string> {
  const { email } = await testApp.account()
  const { rows } = await sql.query<{ id: string }>(
    `insert into sessions (user_id, idle_limit, expires_at)
     select id, '30 minutes', now() + interval '1 hour' from users where email = $1 returning id`,
    [email],
  )
  return rows[0]!.id
}

const insertToken = async (id: string) =>
  sql.query<{ id: string; at: string }>(
    `insert into session_tokens (id, session_id, access_hash, access_expires_at, refresh_hash)
     values (${id}, $1, ${randomHash}, now(), ${randomHash})
     returning id, tableoid::regclass::text as at`,
    [await openSession()],
  )

const partitionOf = async (table: string, id: string) => {
  const { rows } = await sql.query<{ at: string }>(
    `select tableoid::regclass::text as at from ${table} where id = $1`,
    [id],
  )
  return rows.map(({ at }) => at)
}

describe('a session', () => {
  it('is found in the partition of one day, by a generic plan', async () => {
    const client = await testApp.signedIn(await testApp.account())
    // Repeated, because the connection may already have been used for another statement.
    const query = await vi.waitUntil(async () => {
      expect((await client.call(checkAuth, {})).status).toBe(200)
      const { rows } = await sql.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database()
           and query like '%token.access_hash%' and pid <> pg_backend_pid()
         order by query_start desc limit 1`,
      )
      return rows[0]?.query
    }, 60_000)
    await sql.query(`prepare check_session as ${query}`)
    const execute = `execute check_session ('\\x00')`
    for (let n = 0; n < 6; n += 1) await sql.query(execute)
    const plan = await sql.query<{ 'QUERY PLAN': string }>(`explain ${execute}`)
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toContain('access_hash = $1')
    expect(text.match(/ on session_tokens\S*/g)).toEqual([
      ` on ${await dayName('session_tokens', 0)}`,
    ])
  })

  it.each(['', '1.', 'zzzz.', '-.', '..', "'.", `${'9'.repeat(20)}.`])(
    'is not found by a token that names no day of these days, but begins with "%s"',
    async (prefix) => {
      const token = prefix + tokens(config.TOKEN_KEY).make()
      await sql.query(
        `insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
         values ($1, $2, now() + interval '5 minutes', $2)`,
        [await openSession(), tokens(config.TOKEN_KEY).hash('access', token)],
      )
      const client = testApp.newClient()
      client.cookies.set('guidon-access', encodeURIComponent(token))
      expect((await client.call(checkAuth, {})).status).toBe(401)
    },
  )
})

describe('the role of the processes', () => {
  it.each([
    'select from partitions.session_tokens_default',
    'select from partitions.audit_events_default',
    `insert into partitions.audit_events_default (event) values ('x')`,
    'delete from partitions.challenges_default',
    'drop table partitions.challenges_default',
    'create table partitions.audit_events_202001 ()',
    'alter table audit_events detach partition partitions.audit_events_default',
  ])('may not %s', async (statement) => {
    const run = raw.raw(statement).execute(db)
    await expect(run).rejects.toThrow(/permission denied|must be owner/)
  })
})

describe('partitions', () => {
  it('exist for three days and three months ahead', async () => {
    const states = await partitionState(db)
    expect(states.map(({ table }) => table)).toEqual([
      'audit_events',
      'challenges',
      'session_tokens',
    ])
    for (const { table, until, hasDefaultRows } of states) {
      const days = (until.getTime() - Date.now()) / 86_400_000
      expect(days).toBeGreaterThan(table === 'audit_events' ? 88 : 3)
      expect(hasDefaultRows).toBe(false)
    }
    expect(await makePartitions(db)).toEqual([])
  })

  it('are created with the rows that had to go to the default partition', async () => {
    const day = await dayName('session_tokens', 3)
    const month = await nameOf(
      `'audit_events_' || to_char(now() at time zone 'UTC' + interval '2 months', 'YYYYMM')`,
    )
    await sql.query(`drop table partitions.${day}, partitions.${month}`)
    const { id, at } = (await insertToken(idAhead(3))).rows[0]!
    expect(at).toBe('partitions.session_tokens_default')
    await sql.query(
      `insert into audit_events (at, event) values (date_trunc('month', now()) + interval '65 days', 'signed_in')`,
    )
    const { rows: logged } = await sql.query<{ id: string }>(
      `select id from partitions.audit_events_default`,
    )
    expect((await partitionState(db)).map((state) => state.hasDefaultRows)).toEqual([
      true,
      false,
      true,
    ])
    expect(await makePartitions(db)).toEqual([month, day])
    expect(await partitionOf('session_tokens', id)).toEqual([`partitions.${day}`])
    expect(await partitionOf('audit_events', logged[0]!.id)).toEqual([`partitions.${month}`])
    expect((await partitionState(db)).some((state) => state.hasDefaultRows)).toBe(false)
    await recordEvent(db, { event: 'signed_in' })
    await expect
      .poll(async () => {
        await sealEvents(db)
        return verifyChain(db)
      })
      .toMatchObject({ broken: undefined, unsealed: 0 })
    // Ids that are made afterwards are not newer than now, which the other tests expect.
    expect((await insertToken('uuidv7()')).rows[0]!.at).toBe(
      `partitions.${await dayName('session_tokens', 0)}`,
    )
  })

  it('are dropped 25 hours after their day, when every session and code has expired', async () => {
    expect(Math.max(...Object.values(SESSION_HOURS))).toBeLessThan(25)
    expect(CHALLENGE_MINUTES + CODE_MINUTES).toBeLessThan(60)
    const yesterday = await dayName('session_tokens', -1)
    const old = await dayName('session_tokens', -3)
    await sql.query(`
      do $$ begin
        execute format('create table partitions.${yesterday} partition of session_tokens for values from (%L) to (%L)',
          partitions.first_id((now() at time zone 'UTC')::date - 1),
          partitions.first_id((now() at time zone 'UTC')::date));
        execute format('create table partitions.${old} partition of session_tokens for values from (%L) to (%L)',
          partitions.first_id((now() at time zone 'UTC')::date - 3),
          partitions.first_id((now() at time zone 'UTC')::date - 2));
      end $$`)
    const expired = (await insertToken(idAhead(-3))).rows[0]!
    const inDefault = (await insertToken(idAhead(-5))).rows[0]!
    const kept = (await insertToken(idAhead(-1))).rows[0]!
    expect(expired.at).toBe(`partitions.${old}`)
    expect(inDefault.at).toBe('partitions.session_tokens_default')
    expect(await dropExpiredPartitions(db)).toEqual([old])
    expect(await partitionOf('session_tokens', expired.id)).toEqual([])
    expect(await partitionOf('session_tokens', inDefault.id)).toEqual([])
    expect(await partitionOf('session_tokens', kept.id)).toEqual([`partitions.${yesterday}`])
  })

  it('are created and dropped by a scheduled job', async () => {
    const missing = await dayName('challenges', 2)
    await sql.query(`drop table partitions.${missing}`)
    await testApp.send(partitionTables, {})
    await expect
      .poll(() => testApp.logged())
      .toContain(`"partitions":["${missing}"],"msg":"database: partitions created"`)
    const { rows } = await sql.query('select cron from pgboss.schedule where name = $1', [
      partitionTables.name,
    ])
    expect(rows).toEqual([{ cron: partitionTables.every }])
  })
})
