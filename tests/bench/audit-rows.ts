import type { Client } from 'pg'
import { report } from './figures.ts'
import type { Rows } from './kept-rows.ts'

export interface AuditLog {
  events: number
  /** Each has a partition; the last one is this month. */
  months: number
}

const EVENTS_PER_GIGABYTE = 4_000_000

export const auditRows = (log: AuditLog): Rows => ({
  kind: 'events',
  size: `${log.events}_${log.months}`,
  files: ['audit-rows.ts'],
  gigabytes: log.events / EVENTS_PER_GIGABYTE,
  load: (sql) => addEvents(sql, log),
})

/** Events of an account on average. */
const EVENTS_OF_ACCOUNT = 100

export const accountsOf = ({ events }: AuditLog) => Math.ceil(events / EVENTS_OF_ACCOUNT)

/** SQL for the id of an account; `%s` stands for its number. */
export const ACCOUNT_ID_SQL = `md5((%s)::text)::uuid`

const EVENTS = `(array['sign_in_started', 'signed_in', 'document_viewed', 'signed_out'])[1 + n % 4]`

/** Fills the partitions month by month and builds their indexes afterwards, which is several times faster. */
async function addEvents(sql: Client, log: AuditLog): Promise<void> {
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
    report(`${log.months - ago} of ${log.months} months loaded, ${each} events each`)
  }
  // New events are numbered after these, and the seals begin after these.
  await sql.query('update audit_epoch set ahead = $1::bigint + 1000', [each * log.months])
  await sql.query(`alter table audit_seals disable trigger user;
    insert into audit_seals (number, until_transaction, until_id, events, hash)
    select 1, transaction, id, 1, sha256('') from audit_events order by transaction desc, id desc limit 1;
    alter table audit_seals enable trigger user`)
}

export async function monthName(sql: Client, ago: number): Promise<string> {
  const { rows } = await sql.query<{ name: string }>(
    `select to_char(now() at time zone 'UTC' - make_interval(months => $1), 'YYYYMM') as name`,
    [ago],
  )
  return rows[0]!.name
}
