import { parseArgs } from 'node:util'
import { LISTING_MAX } from '@guidon/contract/manage-users'
import { median, percentile, shuffled } from '../support/outside/statistics.ts'
import { accountTasks, BEGINNINGS, OTHER_SEARCHES } from './account-tasks.ts'
import type { AccountTasks, SearchKind } from './account-tasks.ts'
import { signInAccounts, startAccountsApi } from './accounts-stack.ts'
import type { AccountsApi } from './accounts-stack.ts'
import { fixed, loadFigure, printFigures, ratioFigure, report, verdict, VOID } from './figures.ts'
import { openKeptRows, SETTINGS } from './kept-rows.ts'

/**
 * Finds, searches and pages accounts with a million of them and with ten thousand. A hundred times as many accounts show
 * whether a time grows with their number, and load within two minutes. `--sizes 10000,1000000,18000000` adds a number
 * for which most of the indexes no longer fit into the caches.
 */

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    rounds: { type: 'string', default: '30' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const MAX_RATIO = 2.2
const MAX_BEGINNING_P99_MS = 50
/** The rounds end after this time, even if some are left. */
const MEASURING_MS = 15 * 60_000
/** As many as sign in on a day. */
const ACCOUNTS_PER_SESSION = 50

interface Measure {
  name: string
  /** How often in each round. */
  times: number
  /** The least accounts with which it is measured. */
  minAccounts: number
  /** Returns the milliseconds. */
  run(tasks: AccountTasks): Promise<number>
}

const measure = (name: string, times: number, run: Measure['run'], minAccounts = 0): Measure => ({
  name,
  times,
  run,
  minAccounts,
})

const searches = (texts: object, times: number) =>
  (Object.keys(texts) as SearchKind[]).map((kind) =>
    measure(`search: ${kind}`, times, (tasks) => tasks.search(kind)),
  )

/** The goal of each: a maximum ratio of the time with the most accounts to the time with fewer. */
const READS: readonly Measure[] = [
  measure('account by id, from its session', 200, (tasks) => tasks.bySession()),
  measure('account by email, as a sign-in', 200, (tasks) => tasks.byEmail()),
  measure('first page', 20, (tasks) => tasks.firstPage()),
  measure('next page', 40, (tasks) => tasks.nextPage()),
  measure(
    'request for all accounts, which returns a page',
    10,
    (tasks) => tasks.allAccounts(),
    LISTING_MAX + 1,
  ),
]

/** The same goal and a maximum p99, for all of them together. */
const BEGINNING_SEARCHES: readonly Measure[] = searches(BEGINNINGS, 6)

/** Without a goal. */
const OTHERS: readonly Measure[] = searches(OTHER_SEARCHES, 3)

/** The milliseconds of each round, by measure and by number of accounts. */
const results = new Map<Measure, Map<number, number[][]>>()
const figures: string[] = []
let allReached = true

/** Of each round, the times of all these measures together. */
const roundsOf = (measures: readonly Measure[], size: number): number[][] => {
  const all = measures.map((one) => results.get(one)?.get(size) ?? [])
  return (all[0] ?? []).map((_, round) => all.flatMap((rounds) => rounds[round] ?? []))
}

function goal(text: string, reached: boolean): string {
  allReached &&= reached
  return `goal ${text}: ${verdict(reached)}`
}

function timesFigure(name: string, measures: readonly Measure[]): string {
  const bySize = sizes.flatMap((size) => {
    const times = roundsOf(measures, size).flat()
    if (times.length === 0) return []
    const [p50, p99] = [0.5, 0.99].map((fraction) => fixed(percentile(times, fraction)))
    return [`${size}: p50 ${p50}, p99 ${p99}`]
  })
  return `${name}, ms with ${bySize.join('; ') || 'none of the sizes'}`
}

/** Compares the most accounts with each smaller number, round by round. */
function ratioFigures(name: string, measures: readonly Measure[]): string[] {
  const most = roundsOf(measures, sizes.at(-1)!)
  return sizes.slice(0, -1).flatMap((size) => {
    const fewer = roundsOf(measures, size)
    if (fewer.length === 0) return []
    const { high, text } = ratioFigure(
      most.map((times, round) => median(times) / median(fewer[round]!)),
    )
    const limit = goal(`at most ${MAX_RATIO} at the upper end of the interval`, high <= MAX_RATIO)
    return [`${name}, ratio of ${sizes.at(-1)} to ${size}: ${text}, ${limit}`]
  })
}

async function measureRound(tasks: ReadonlyMap<number, AccountTasks>, isWarmUp: boolean) {
  for (const one of shuffled([...READS, ...BEGINNING_SEARCHES, ...OTHERS])) {
    for (const [size, ofSize] of shuffled([...tasks])) {
      if (size < one.minAccounts) continue
      const times: number[] = []
      for (let time = 0; time < one.times; time += 1) times.push(await one.run(ofSize))
      if (isWarmUp) continue
      const bySize = results.get(one) ?? new Map<number, number[][]>()
      results.set(one, bySize.set(size, [...(bySize.get(size) ?? []), times]))
    }
  }
}

/** The ratios of the most accounts to the fewest in the last round, of what is measured with both. */
function lastRatios(): string {
  const named = [
    ...READS.map((one) => [one.name, [one]] as const),
    ['searches', BEGINNING_SEARCHES] as const,
  ]
  const ratios = named.flatMap(([name, measures]) => {
    const [most, fewest] = [sizes.at(-1)!, sizes[0]!].map((size) => roundsOf(measures, size).at(-1))
    return most && fewest ? [`${name} ${fixed(median(most) / median(fewest))}`] : []
  })
  return ratios.join(', ')
}

async function measureSizes(): Promise<void> {
  const tasks = new Map<number, AccountTasks>()
  for (const size of sizes) {
    const api = await startAccountsApi(kept, size, { WEB_DIR: '' })
    await signInAccounts(api, ACCOUNTS_PER_SESSION)
    await readIntoMemory(api)
    const figure = await sizeFigure(api)
    report(figure)
    figures.push(figure)
    tasks.set(size, await accountTasks(api))
  }
  report('a round that warms up')
  await measureRound(tasks, true)
  const started = performance.now()
  let rounds = 0
  while (rounds < Number(values.rounds) && performance.now() - started < MEASURING_MS) {
    await measureRound(tasks, false)
    rounds += 1
    report(
      `round ${rounds} of ${values.rounds}, ratios of ${sizes.at(-1)} to ${sizes[0]}: ${lastRatios()}`,
    )
  }
  figures.push(`${rounds} rounds in ${fixed((performance.now() - started) / 1000, 0)} s`)
}

/** As after some hours of use: the whole database fits into the memory of the recommended server. */
async function readIntoMemory({ sql }: AccountsApi): Promise<void> {
  await sql.query('create extension if not exists pg_prewarm')
  await sql.query(
    `select pg_prewarm(oid::regclass, 'read') from pg_class
     where oid = 'users'::regclass or oid in (select indexrelid from pg_index where indrelid = 'users'::regclass)`,
  )
}

async function sizeFigure({ sql, accounts }: AccountsApi): Promise<string> {
  const { rows } = await sql.query<{ heap: string; indexes: string }>(
    `select pg_size_pretty(pg_table_size('users')) as heap,
       pg_size_pretty(pg_indexes_size('users')) as indexes`,
  )
  return `${accounts} accounts: table ${rows[0]!.heap}, indexes ${rows[0]!.indexes}`
}

const kept = await openKeptRows()
try {
  await measureSizes()
} finally {
  await kept.close()
}

const beginnings = 'search: beginnings of names and emails'
const most = roundsOf(BEGINNING_SEARCHES, sizes.at(-1)!).flat()
const p99 = percentile(most, 0.99)
const fewest = roundsOf(BEGINNING_SEARCHES, sizes[0]!).flat()
// A machine on which even the fewest accounts need half of the limit is too slow for a verdict.
const validity = percentile(fewest, 0.99) > MAX_BEGINNING_P99_MS / 2 ? VOID : ''
printFigures([
  ...figures,
  `PostgreSQL: ${Object.entries(SETTINGS)
    .map((pair) => pair.join(' '))
    .join(', ')}`,
  ...READS.flatMap((one) => [timesFigure(one.name, [one])].concat(ratioFigures(one.name, [one]))),
  `${timesFigure(beginnings, BEGINNING_SEARCHES)}; of the ${most.length} searches with ${sizes.at(-1)} accounts, ` +
    goal(`p99 at most ${MAX_BEGINNING_P99_MS} ms`, p99 <= MAX_BEGINNING_P99_MS) +
    validity,
  ...ratioFigures(beginnings, BEGINNING_SEARCHES),
  ...[...BEGINNING_SEARCHES, ...OTHERS].map((one) => timesFigure(one.name, [one])),
  loadFigure(),
])
process.exitCode = allReached ? 0 : 1
