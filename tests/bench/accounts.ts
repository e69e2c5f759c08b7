import { parseArgs } from 'node:util'
import { closeOnSignal } from '@guidon/sandbox/close-on-signal'
import { median, percentile, shuffled } from '../support/outside/statistics.ts'
import { BEGINNING_SEARCHES, OTHERS, READS } from './account-measures.ts'
import type { Measure } from './account-measures.ts'
import { checkFreeDisk, defaultFolder, openSizes, SETTINGS } from './account-sizes.ts'
import type { SizedApi } from './account-sizes.ts'
import { accountTasks } from './account-tasks.ts'
import type { AccountTasks } from './account-tasks.ts'
import { fixed, loadFigure, printFigures, ratioFigure, verdict, VOID } from './figures.ts'

/** Finds, searches and pages accounts with eighteen million of them, with a million and with ten thousand. */

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000,18000000' },
    rounds: { type: 'string', default: '30' },
    folder: { type: 'string', default: defaultFolder() },
    keep: { type: 'string' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const MAX_RATIO = 2.2
const MAX_BEGINNING_P99_MS = 50
/** The rounds end after this time, even if some are left. */
const MEASURING_MS = 15 * 60_000
/** The run fails after this time. */
const RUN_MS = 75 * 60_000

const log = (text: string) => process.stdout.write(`${new Date().toISOString()} ${text}\n`)

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
  for (const measure of shuffled([...READS, ...BEGINNING_SEARCHES, ...OTHERS])) {
    for (const [size, ofSize] of shuffled([...tasks])) {
      if (size < measure.minAccounts) continue
      const times: number[] = []
      for (let time = 0; time < measure.times; time += 1) times.push(await measure.run(ofSize))
      if (isWarmUp) continue
      const bySize = results.get(measure) ?? new Map<number, number[][]>()
      results.set(measure, bySize.set(size, [...(bySize.get(size) ?? []), times]))
    }
  }
}

async function run(apis: readonly SizedApi[]): Promise<void> {
  const tasks = new Map<number, AccountTasks>()
  for (const api of apis) {
    figures.push(await sizeFigure(api))
    tasks.set(api.accounts, await accountTasks(api))
  }
  await measureRound(tasks, true)
  const started = performance.now()
  let rounds = 0
  while (rounds < Number(values.rounds) && performance.now() - started < MEASURING_MS) {
    await measureRound(tasks, false)
    rounds += 1
    log(`round ${rounds} of ${values.rounds} measured`)
  }
  figures.push(`${rounds} rounds in ${fixed((performance.now() - started) / 1000, 0)} s`)
}

async function sizeFigure({ sql, accounts }: SizedApi): Promise<string> {
  const { rows } = await sql.query<{ heap: string; indexes: string }>(
    `select pg_size_pretty(pg_table_size('users')) as heap,
       pg_size_pretty(pg_indexes_size('users')) as indexes`,
  )
  return `${accounts} accounts: table ${rows[0]!.heap}, indexes ${rows[0]!.indexes}`
}

// Databases in the folder `keep` may exist already.
if (values.keep === undefined) checkFreeDisk(values.folder, sizes)
const { start, close } = openSizes({
  sizes,
  parentDir: values.folder,
  permanentDir: values.keep,
  onProgress: log,
})
closeOnSignal({ close })
const { promise: timeout, reject } = Promise.withResolvers<never>()
const timer = setTimeout(
  () => reject(new Error(`the run was not finished after ${RUN_MS / 60_000} minutes`)),
  RUN_MS,
)
try {
  await Promise.race([start().then(run), timeout])
} finally {
  clearTimeout(timer)
  await close()
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
