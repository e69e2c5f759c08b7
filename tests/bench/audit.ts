import { parseArgs } from 'node:util'
import { getActivity } from '@guidon/contract/manage-users'
import type { Client } from 'pg'
import { median, percentile, shuffled } from '../support/outside/statistics.ts'
import { addStaff } from './accounts-stack.ts'
import { ACCOUNT_ID_SQL, accountsOf, auditRows, monthName } from './audit-rows.ts'
import type { AuditLog } from './audit-rows.ts'
import { fixed, loadFigure, printFigures, ratioFigure, report, verdict } from './figures.ts'
import { openKeptRows } from './kept-rows.ts'
import { lastStatementOf } from './statements.ts'
import { cookieOf } from './veterans.ts'

/**
 * An audit log of seven years against one of two months, round by round: an insert, the activity of an account, and a
 * seal; at the end, the drop of the oldest month. Both logs have as many events in a month, so the ratios show what the
 * number of months costs. That does not need many events, so the default is a size that loads in a minute;
 * `--events 50000000` shows the times with large partitions.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2100000' },
    months: { type: 'string', default: '84' },
    rounds: { type: 'string', default: '40' },
  },
})
const LARGE: AuditLog = { events: Number(values.events), months: Number(values.months) }
const SMALL_MONTHS = 2
const SMALL: AuditLog = {
  events: Math.ceil(LARGE.events / LARGE.months) * SMALL_MONTHS,
  months: SMALL_MONTHS,
}
const rounds = Number(values.rounds)

const OPERATIONS_A_ROUND = 50
const SEALED_AT_ONCE = 1_000
const MAX_INSERT_RATIO = 2.2
const MAX_ACTIVITY_MS = 20
const MAX_DROP_MS = 500
const SHOWN = ['signed_in', 'signed_out', 'signed_in_on_new_device', 'document_uploaded']
const SHOWN_MAX = 50

const INSERT = `insert into audit_events (event, actor_id, subject_id, details)
  values ('signed_in', $1, $1, '{}')`
const ROWS_TO_SEAL = `select transaction::text as transaction, id,
    jsonb_build_array(transaction::text, id, extract(epoch from at), event, actor_id, subject_id, details)::text as text
  from audit_events where transaction < (select audit_number(pg_snapshot_xmin(pg_current_snapshot())))
    and (transaction, id) > ($1::xid8, $2::uuid)
  order by audit_events.transaction, id limit ${SEALED_AT_ONCE}`
const SEAL = `insert into audit_seals (number, until_transaction, until_id, events, hash)
  select $1::int, $2::xid8, $3::uuid, $4::int,
    sha256($5::bytea || string_agg(sha256(convert_to(text, 'UTF8')), ''::bytea order by place))
  from unnest($6::text[]) with ordinality as sealed (text, place)`

type Times = Record<'insert' | 'activity' | 'seal' | 'drop', number[]>

const kept = await openKeptRows()

async function openLog(log: AuditLog) {
  const { stack, sql } = await kept.startApi(auditRows(log), { LOG_LEVEL: 'warn', WEB_DIR: '' })
  await addStaff(sql, stack.environment['TOKEN_KEY']!)
  const activity = await lastStatementOf(stack.urls.api[0]! + getActivity.path, sql, cookieOf(0))
  const { rows } = await sql.query<{ size: string; accounts: string[] }>(
    `select pg_size_pretty(pg_database_size(current_database())) as size, array(
       select ${ACCOUNT_ID_SQL.replace('%s', 'n')} from generate_series(0, $1::int - 1, greatest(1, $1::int / 5000)) as n) as accounts`,
    [accountsOf(log)],
  )
  const { size, accounts } = rows[0]!
  const name = `${log.events.toLocaleString('en-US')} events in ${log.months} months`
  report(`${name}: ${size}`)
  const times: Times = { insert: [], activity: [], seal: [], drop: [] }
  return { name, log, sql, activity, times, size, accounts }
}
type Log = Awaited<ReturnType<typeof openLog>>

async function timed(times: number[], work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  times.push(performance.now() - started)
}

const prepared = (sql: Client, name: string, text: string, parameters: unknown[]) =>
  sql.query<Record<string, string>>({ name, text, values: parameters })

async function seal(sql: Client): Promise<void> {
  const { rows: seals } = await sql.query<{ number: number; t: string; id: string; hash: Buffer }>(
    `select number, until_transaction::text as t, until_id as id, hash
     from audit_seals order by number desc limit 1`,
  )
  const previous = seals[0]!
  const { rows } = await prepared(sql, 'rows', ROWS_TO_SEAL, [previous.t, previous.id])
  const last = rows.at(-1)!
  await prepared(sql, 'seal', SEAL, [
    previous.number + 1,
    last['transaction'],
    last['id'],
    rows.length,
    previous.hash,
    rows.map(({ text }) => text),
  ])
}

async function measureRound({ sql, activity, times, accounts }: Log): Promise<void> {
  const account = () => accounts[Math.floor(Math.random() * accounts.length)]
  for (let n = 0; n < OPERATIONS_A_ROUND; n += 1) {
    await timed(times.insert, () => prepared(sql, 'insert', INSERT, [account()]))
    await timed(times.activity, () =>
      prepared(sql, 'activity', activity, [account(), SHOWN, SHOWN_MAX, SHOWN_MAX]),
    )
  }
  await sql.query(
    `insert into audit_events (event, subject_id) select 'signed_in', uuidv7() from generate_series(1, $1::int)`,
    [SEALED_AT_ONCE - OPERATIONS_A_ROUND],
  )
  await timed(times.seal, () => seal(sql))
}

const logs = [await openLog(SMALL), await openLog(LARGE)]
const [small, large] = logs as [Log, Log]
for (let round = 1; round <= rounds; round += 1) {
  for (const log of shuffled(logs)) await measureRound(log)
  const lastOf = (one: 'insert' | 'activity') =>
    [small, large]
      .map(({ times }) => fixed(median(times[one].slice(-OPERATIONS_A_ROUND))))
      .join(' and ')
  report(
    `round ${round} of ${rounds}, ms with ${SMALL.months} and ${LARGE.months} months: ` +
      `insert ${lastOf('insert')}, activity ${lastOf('activity')}`,
  )
}
for (const { sql, log, times } of logs) {
  const oldest = await monthName(sql, log.months - 1)
  await timed(times.drop, () => sql.query(`drop table partitions.audit_events_${oldest}`))
}
await kept.close()

const perRound = (times: readonly number[]) =>
  Array.from({ length: rounds }, (_, round) =>
    median(times.slice(round * OPERATIONS_A_ROUND, (round + 1) * OPERATIONS_A_ROUND)),
  )
const ratioOf = (one: 'insert' | 'activity') => {
  const base = perRound(small.times[one])
  return ratioFigure(perRound(large.times[one]).map((time, round) => time / base[round]!))
}
const insertRatio = ratioOf('insert')
const activityRatio = ratioOf('activity')
const activityMs = median(large.times.activity)
const dropMs = median(large.times.drop)
const goals = {
  insert: insertRatio.high <= MAX_INSERT_RATIO,
  activity: activityMs <= MAX_ACTIVITY_MS,
  drop: dropMs <= MAX_DROP_MS,
}
const figure = (times: readonly number[]) =>
  `${fixed(median(times))} ms (99 %: ${fixed(percentile(times, 0.99))} ms)`

printFigures([
  ...logs.map(
    ({ name, size, times }) =>
      `${name}, ${size}: ` +
      `insert ${figure(times.insert)}, activity ${figure(times.activity)}, ` +
      `seal of ${SEALED_AT_ONCE} ${figure(times.seal)}, drop of the oldest month ${fixed(median(times.drop))} ms`,
  ),
  `insert, large against small: ${insertRatio.text}, goal at most ${MAX_INSERT_RATIO} at the upper end: ${verdict(goals.insert)}`,
  `activity, large against small: ${activityRatio.text}; goal at most ${MAX_ACTIVITY_MS} ms: ${verdict(goals.activity)}`,
  `drop of a month, goal at most ${MAX_DROP_MS} ms: ${verdict(goals.drop)}`,
  loadFigure(),
])
process.exitCode = Object.values(goals).every(Boolean) ? 0 : 1
