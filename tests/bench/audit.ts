import { parseArgs } from 'node:util'
import { getActivity } from '@guidon/contract/manage-users'
import type { Client } from 'pg'
import { median, percentile, shuffled } from '../support/outside/statistics.ts'
import { startAccountsStack } from './accounts-stack.ts'
import { ACCOUNT_ID_SQL, accountsOf, addEvents, monthName, newDatabase } from './audit-rows.ts'
import type { AuditLog } from './audit-rows.ts'
import { fixed, loadFigure, printFigures, ratioFigure, verdict } from './figures.ts'
import { lastStatementOf } from './statements.ts'

/**
 * A large audit log of seven years against a small one of two months, round by round: an insert, the activity of an
 * account, and a seal; at the end, the drop of the oldest month.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '50000000' },
    'small-events': { type: 'string', default: '1000000' },
    months: { type: 'string', default: '84' },
    rounds: { type: 'string', default: '40' },
  },
})
const SMALL: AuditLog = { events: Number(values['small-events']), months: 2 }
const LARGE: AuditLog = { events: Number(values.events), months: Number(values.months) }
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

const stack = await startAccountsStack({ WEB_DIR: '' })
const activityStatement = await lastStatementOf(
  stack.base + getActivity.path,
  stack.sql,
  stack.cookie,
)

type Times = Record<'insert' | 'activity' | 'seal' | 'drop', number[]>

async function openLog(name: string, log: AuditLog) {
  const sql = await newDatabase(stack.sql, stack.environment, name)
  const started = performance.now()
  await addEvents(sql, log)
  const seconds = (performance.now() - started) / 1_000
  const { rows } = await sql.query<{ size: string; accounts: string[] }>(
    `select pg_size_pretty(pg_database_size(current_database())) as size, array(
       select ${ACCOUNT_ID_SQL.replace('%s', 'n')} from generate_series(0, $1::int - 1, greatest(1, $1::int / 5000)) as n) as accounts`,
    [accountsOf(log)],
  )
  const times: Times = { insert: [], activity: [], seal: [], drop: [] }
  return { name, log, sql, times, seconds, size: rows[0]!.size, accounts: rows[0]!.accounts }
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

async function measureRound({ sql, times, accounts }: Log): Promise<void> {
  const account = () => accounts[Math.floor(Math.random() * accounts.length)]
  for (let n = 0; n < OPERATIONS_A_ROUND; n += 1) {
    await timed(times.insert, () => prepared(sql, 'insert', INSERT, [account()]))
    await timed(times.activity, () =>
      prepared(sql, 'activity', activityStatement, [account(), SHOWN, SHOWN_MAX, SHOWN_MAX]),
    )
  }
  await sql.query(
    `insert into audit_events (event, subject_id) select 'signed_in', uuidv7() from generate_series(1, $1::int)`,
    [SEALED_AT_ONCE - OPERATIONS_A_ROUND],
  )
  await timed(times.seal, () => seal(sql))
}

const logs = [await openLog('audit_small', SMALL), await openLog('audit_large', LARGE)]
const [small, large] = logs as [Log, Log]
for (let round = 0; round < rounds; round += 1) {
  for (const log of shuffled(logs)) await measureRound(log)
}
for (const { sql, log, times } of logs) {
  const oldest = await monthName(sql, log.months - 1)
  await timed(times.drop, () => sql.query(`drop table partitions.audit_events_${oldest}`))
}

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
    ({ name, log, size, seconds, times }) =>
      `${name}: ${log.events.toLocaleString('en-US')} events in ${log.months} months, ${size}, loaded in ${fixed(seconds, 0)} s; ` +
      `insert ${figure(times.insert)}, activity ${figure(times.activity)}, ` +
      `seal of ${SEALED_AT_ONCE} ${figure(times.seal)}, drop of the oldest month ${fixed(median(times.drop))} ms`,
  ),
  `insert, large against small: ${insertRatio.text}, goal at most ${MAX_INSERT_RATIO} at the upper end: ${verdict(goals.insert)}`,
  `activity, large against small: ${activityRatio.text}; goal at most ${MAX_ACTIVITY_MS} ms: ${verdict(goals.activity)}`,
  `drop of a month, goal at most ${MAX_DROP_MS} ms: ${verdict(goals.drop)}`,
  loadFigure(),
])
for (const { sql } of logs) await sql.end()
await stack.close()
process.exitCode = Object.values(goals).every(Boolean) ? 0 : 1
