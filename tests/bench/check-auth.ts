import { parseArgs } from 'node:util'
import { checkAuth } from '@guidon/contract/auth'
import { median, shuffled } from '../support/outside/statistics.ts'
import { signInAccounts, startAccountsStack } from './accounts-stack.ts'
import { vacuumAndCheckpoint } from './api-stack.ts'
import {
  controlFigure,
  fixed,
  loadFigure,
  printFigures,
  ratioFigure,
  report,
  verdict,
} from './figures.ts'
import { lastStatementOf } from './statements.ts'
import { accessHasher } from './veterans.ts'

/**
 * The statement that checks the session of each request: with tokens in partitions by day, against the same rows in one
 * table, in turns on one connection.
 */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '40' },
    reads: { type: 'string', default: '2000' },
  },
})
const [rounds, reads] = [Number(values.rounds), Number(values.reads)]
const MAX_RATIO = 1.05
const WARM_UP = 200

const stack = await startAccountsStack(Number(values.accounts), { WEB_DIR: '' })
const { sql } = stack
const sessions = await signInAccounts(stack, 1)
report(`${sessions} sessions opened`)
await sql.query(`create schema plain;
  create table plain.session_tokens (like session_tokens including all);
  create unique index on plain.session_tokens (access_hash);
  create unique index on plain.session_tokens (refresh_hash);
  insert into plain.session_tokens table session_tokens`)
await vacuumAndCheckpoint(sql, ['plain.session_tokens'])

const partitioned = await lastStatementOf(stack.base + checkAuth.path, sql)
const inOneTable = partitioned
  .replace(/token\.id >= '\S+' and token\.id < '\S+' and /, '')
  .replace('from session_tokens', 'from plain.session_tokens')
if (inOneTable.length >= partitioned.length) throw new Error('the statement names no day')

const hash = accessHasher(stack.tokenKey)

/** Returns the microseconds of one read. */
async function timeReads(name: string, text: string, count: number): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < count; n += 1) {
    const value = hash(1 + Math.floor(Math.random() * sessions))
    const { rows } = await sql.query({ name, text, values: [value] })
    if (rows.length !== 1) throw new Error(`${name}: ${rows.length} sessions found`)
  }
  return ((performance.now() - started) * 1_000) / count
}

const VARIANTS = {
  partitions: partitioned,
  table: inOneTable,
  control: inOneTable,
}
type Variant = keyof typeof VARIANTS
const names = Object.keys(VARIANTS) as Variant[]
for (const name of names) await timeReads(name, VARIANTS[name], WARM_UP)
const times: Record<Variant, number[]> = { partitions: [], table: [], control: [] }
for (let round = 1; round <= rounds; round += 1) {
  for (const name of shuffled(names)) times[name].push(await timeReads(name, VARIANTS[name], reads))
  const [partitions, table] = [times.partitions.at(-1)!, times.table.at(-1)!]
  report(
    `round ${round} of ${rounds}: partitions ${fixed(partitions, 0)} µs, one table ${fixed(table, 0)} µs, ` +
      `ratio ${fixed(partitions / table)}`,
  )
}
await stack.close()
const ratios = (name: Variant) => times[name].map((time, round) => time / times.table[round]!)

const ratio = ratioFigure(ratios('partitions'))
const isReached = ratio.high <= MAX_RATIO
const control = controlFigure(ratios('control'))
printFigures([
  `${sessions.toLocaleString('en-US')} sessions, ${rounds} rounds of ${reads} reads`,
  `partitions by day: ${fixed(median(times.partitions), 0)} µs; one table: ${fixed(median(times.table), 0)} µs`,
  `partitions against one table: ${ratio.text}, goal at most ${MAX_RATIO} at the upper end: ${verdict(isReached)}`,
  control.text,
  loadFigure(),
])
process.exitCode = control.valid && !isReached ? 1 : 0
