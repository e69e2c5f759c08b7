import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recordEvent } from '../../db/audit-events.ts'
import { archives } from './archives.sql.ts'
import { sealEvents, verifyChain } from './chain.ts'

const testApp = await boot({ worker: false })
const { sql, config, admin } = testApp
const db = databaseAt(config.DATABASE_URL, 2)
const folder = join(mkdtempSync(join(tmpdir(), 'guidon-archive-')), 'audit')
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

/** Retries, because running transactions of other test files in the same cluster delay sealing. */
const seal = () =>
  vi.waitUntil(async () => {
    await sealEvents(db)
    const { broken, unsealed } = await verifyChain(db)
    const { rows } = await sql.query(
      `select from audit_events
       where transaction > coalesce((select max(until_transaction) from audit_seals), '0')`,
    )
    return broken === undefined && unsealed === 0 && rows.length === 0
  }, 60_000)

/**
 * Logs events with these numbers, as the owner, because the application cannot set the time. In one transaction, so that
 * one seal covers all of them.
 */
const logTogether = async (...events: [at: Date | string, n: number][]) => {
  await sql.query('begin')
  for (const [at, n] of events) {
    const details = JSON.stringify({ n })
    await sql.query(`insert into audit_events (at, event, details) values ($1, 'signed_in', $2)`, [
      at,
      details,
    ])
  }
  await sql.query('commit')
}

const fileOf = (month: string) => join(folder, `audit-${month}.jsonl.gz`)

beforeAll(async () => {
  // Two months of 2024, as if the partitions existed since then.
  await sql.query(`
    do $$
    declare
      month timestamptz := date_trunc('month', now(), 'UTC');
      newest text := 'audit_events_' || to_char(month at time zone 'UTC', 'YYYYMM');
    begin
      execute format('alter table audit_events detach partition partitions.%I', newest);
      execute format('alter table audit_events attach partition partitions.%I for values from (%L) to (%L)',
        newest, timestamptz '2024-03-01 00:00Z', (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
      create table partitions.audit_events_202401 partition of audit_events
        for values from (minvalue) to ('2024-02-01 00:00Z');
      create table partitions.audit_events_202402 partition of audit_events
        for values from ('2024-02-01 00:00Z') to ('2024-03-01 00:00Z');
      perform partitions.add_indexes('audit_events', 'audit_events_202401');
      perform partitions.add_indexes('audit_events', 'audit_events_202402');
    end $$`)
  const january = '2024-01-10T12:00:00Z'
  await logTogether([january, 1], [january, 2], [january, 3])
  await seal()
  await logTogether(['2024-01-31T23:59:59Z', 4], ['2024-02-01T00:00:01Z', 5])
  await seal()
  await logTogether(['2024-02-10T12:00:00Z', 6], [new Date(), 7])
  await seal()
})

describe('an archive of the oldest month', () => {
  it('has the events of its seals in a file that only the operator can read, and the log goes on without them', async () => {
    const archived = await admin.audit.archive(folder)
    expect(archived).toEqual({
      month: '202401',
      file: fileOf('202401'),
      events: 5,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(statSync(fileOf('202401')).mode & 0o777).toBe(0o600)
    const lines = gunzipSync(readFileSync(fileOf('202401')))
      .toString()
      .trim()
      .split('\n')
    const events = lines.filter((line) => line.startsWith('[')).map((line) => JSON.parse(line))
    expect(events.map((event) => (event as unknown[])[6])).toEqual(
      [1, 2, 3, 4, 5].map((n) => ({ n })),
    )
    const { rows } = await sql.query<{ n: number }>(
      `select (details ->> 'n')::int as n from audit_events order by transaction, id`,
    )
    expect(rows.map(({ n }) => n)).toEqual([5, 6, 7])
    expect(await admin.audit.verify()).toMatchObject({
      broken: undefined,
      archived: 5,
      events: 2,
      unsealed: 0,
    })
    expect(await admin.audit.verifyArchives(folder)).toBeUndefined()
  })

  it('continues with the next month, and sealing continues', async () => {
    expect(await admin.audit.archive(folder)).toMatchObject({ month: '202402', events: 2 })
    await recordEvent(db, { event: 'signed_in', details: { n: 8 } })
    await seal()
    expect(await admin.audit.verify()).toMatchObject({ broken: undefined, archived: 7, events: 1 })
    expect(await admin.audit.verifyArchives(folder)).toBeUndefined()
    expect((await archives(db)).map(({ month }) => month)).toEqual(['202401', '202402'])
  })

  it('drops a month without events', async () => {
    await sql.query(`
      create table partitions.audit_events_202312 partition of audit_events
        for values from (minvalue) to ('2024-01-01 00:00Z');
      select partitions.add_indexes('audit_events', 'audit_events_202312')`)
    expect(await admin.audit.archive(folder)).toMatchObject({ month: '202312', events: 0 })
    expect(await admin.audit.verify()).toMatchObject({ broken: undefined, archived: 7 })
  })

  it('is refused for a month that ended less than a year ago', async () => {
    await expect(admin.audit.archive(folder)).rejects.toThrow('ended 12 months ago')
  })

  it.each([
    ["update audit_events set details = '{}' where details ->> 'n' = '7'", 'before seal'],
    ["update audit_events set details = '{}' where details ->> 'n' = '8'", 'seal 4 is forged'],
    [`insert into audit_events (transaction, event) values ('1', 'signed_in')`, 'before seal'],
    [`update audit_seals set hash = 'x' where number = 3`, 'newest archive ends'],
  ])('does not hide a change of what is left: %s', async (change, found) => {
    const verify = async () => (await admin.audit.verify()).broken
    await sql.query('begin')
    await sql.query('create table kept_events as table audit_events')
    await sql.query('create table kept_seals as table audit_seals')
    await sql.query(change)
    await sql.query('commit')
    expect(await verify()).toContain(found)
    await sql.query(`begin; delete from audit_events; insert into audit_events table kept_events;
      update audit_seals set hash = kept_seals.hash from kept_seals where audit_seals.number = kept_seals.number;
      drop table kept_events, kept_seals; commit`)
    expect(await verify()).toBeUndefined()
  })

  it('is compared with what was recorded of it', async () => {
    const original = readFileSync(fileOf('202401'))
    const text = gunzipSync(original).toString()
    writeFileSync(fileOf('202401'), gzipSync(text.replace('"n": 2', '"n": 9')))
    expect(await admin.audit.verifyArchives(folder)).toBe('audit-202401.jsonl.gz was changed')
    writeFileSync(fileOf('202401'), original)
    expect(await admin.audit.verifyArchives(folder)).toBeUndefined()
    rmSync(fileOf('202402'))
    await expect(admin.audit.verifyArchives(folder)).rejects.toThrow('ENOENT')
  })

  it('cannot be deleted from the records by the application', async () => {
    await expect(db.deleteFrom('audit_archives').execute()).rejects.toThrow('permission denied')
  })
})
