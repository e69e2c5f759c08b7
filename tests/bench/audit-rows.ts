import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import { vacuumAndCheckpoint } from './api-stack.ts'

/** A database with the tables of the portal and no rows. */
export async function newDatabase(
  sql: Client,
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): Promise<Client> {
  await sql.query(`create database ${name}`)
  const url = new URL(environment['DATABASE_URL']!)
  url.pathname = `/${name}`
  const { status } = spawnSync(process.execPath, ['src/main/admin-cli.ts', 'migrate'], {
    cwd: join(import.meta.dirname, '../../api'),
    env: { ...process.env, ...environment, DATABASE_URL: url.href, DATABASE_OWNER_URL: url.href },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${name} could not be migrated`)
  const client = new Client({ connectionString: url.href })
  await client.connect()
  return client
}

export interface AuditLog {
  events: number
  /** Each has a partition; the last one is this month. */
  months: number
}

/** Events of an account on average. */
const EVENTS_OF_ACCOUNT = 100

export const accountsOf = ({ events }: AuditLog) => Math.ceil(events / EVENTS_OF_ACCOUNT)

/** SQL for the id of an account; `%s` stands for its number. */
export const ACCOUNT_ID_SQL = `md5((%s)::text)::uuid`

const EVENTS = `(array['sign_in_started', 'signed_in', 'document_viewed', 'signed_out'])[1 + n % 4]`

/** Fills the partitions month by month and builds their indexes afterwards, which is several times faster. */
export async function addEvents(sql: Client, log: AuditLog): Promise<void> {
  const each = Math.ceil(log.events / log.months)
  const accounts = accountsOf(log)
  await sql.query(`set timezone = 'UTC'; set synchronous_commit = off`)
  // The empty partition of this month also covers all months before it.
  await sql.query(`drop table partitions.audit_events_${await monthName(sql, 0)}`)
  for (let ago = log.months - 1; ago >= 0; ago -= 1) {
    const name = `audit_events_${await monthName(sql, ago)}`
    const from = (log.months - 1 - ago) * each
    const month = `(date_trunc('month', now()) - interval '${ago} months')`
    // Only the part of this month that has passed, so that no event is in the future.
    const span = ago === 0 ? `(now() - ${month})` : `interval '28 days'`
    await sql.query(`create table partitions.${name} (like audit_events including all)`)
    await sql.query(
      `insert into partitions.${name} (transaction, id, at, event, actor_id, subject_id, details)
       select n::text::xid8, uuidv7(at - now()), at, ${EVENTS}, subject, subject, '{"n": 1}'
       from (select n, ${ACCOUNT_ID_SQL.replace('%s', `(n * 7919::bigint) % ${accounts}`)} as subject,
           ${month} + ${span} * ((n - ${from})::float8 / ${each + 1}) as at
         from generate_series(${from + 1}, ${from + each}) as n) as logged`,
    )
    await sql.query(`select partitions.add_indexes('audit_events', '${name}')`)
    await sql.query(
      `do $$ begin execute format(
         'alter table audit_events attach partition partitions.${name} for values from (%L) to (%L)',
         ${month}, ${month} + interval '1 month'); end $$`,
    )
  }
  // New events are numbered after these, and the seals begin after these.
  await sql.query('update audit_epoch set ahead = $1::bigint + 1000', [each * log.months])
  await sql.query(`alter table audit_seals disable trigger user;
    insert into audit_seals (number, until_transaction, until_id, events, hash)
    select 1, transaction, id, 1, sha256('') from audit_events order by transaction desc, id desc limit 1;
    alter table audit_seals enable trigger user`)
  await vacuumAndCheckpoint(sql)
}

export async function monthName(sql: Client, ago: number): Promise<string> {
  const { rows } = await sql.query<{ name: string }>(
    `select to_char(now() at time zone 'UTC' - make_interval(months => $1), 'YYYYMM') as name`,
    [ago],
  )
  return rows[0]!.name
}
