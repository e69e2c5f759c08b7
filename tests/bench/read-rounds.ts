import { deepEqual } from 'node:assert/strict'
import { startHelper } from '../support/outside/helper-process.ts'
import type { LoopResult } from '../support/outside/load.ts'
import { median, shuffled } from '../support/outside/statistics.ts'
import { readBaseline } from './baseline-read.ts'
import type { Baseline } from './baseline-read.ts'
import type { BaselineSqlTask } from './baseline-sql.ts'
import { controlFigure, fixed, ratioFigure, verdict } from './figures.ts'
import { READ_NAMES, READS } from './reads.ts'
import type { ReadName, ReadTask } from './reads.ts'
import { cookieOf } from './veterans.ts'

/** Of the rate of the minimal server. */
const MIN_RATIO = 0.8
const CONCURRENCY = 16
const MEASUREMENT = { concurrency: CONCURRENCY, warmUpMs: 200, ms: 1_000 }
/** A new process is slow until its code is compiled. */
const WARM_UP = { concurrency: CONCURRENCY, warmUpMs: 0, ms: 2_500 }

/** The sides that are compared. `…Again` is the same baseline in a second process: the control. */
type Side = 'ours' | 'sql' | 'sqlAgain' | 'http' | 'httpAgain'
/** `pooled`: ours through PgBouncer, with the option `--pooler`. */
export type Round = Record<ReadName, Record<Side, LoopResult> & { pooled?: LoopResult }>

/** The API that is measured, and the one through PgBouncer. */
interface Apis {
  base: string
  pooled: { base: string } | undefined
  restart(): Promise<void>
}

/** Starts new processes and measures in random order, so that disturbances affect all sides equally. */
export async function readRound(apis: Apis, baseline: Baseline, sessions: number): Promise<Round> {
  await apis.restart()
  const client = startHelper<ReadTask, LoopResult>(new URL('read-load.ts', import.meta.url))
  const sqls = [0, 1].map(() =>
    startHelper<BaselineSqlTask, LoopResult>(new URL('baseline-sql.ts', import.meta.url)),
  )
  const servers = [0, 1].map(() =>
    startHelper<Baseline, string>(new URL('baseline-http.ts', import.meta.url)),
  )
  const bases = await Promise.all(servers.map((server) => server.run(baseline)))
  const overHttp = (base: string) => (task: Omit<ReadTask, 'base'>) => client.run({ ...task, base })
  const overSql = (index: number) => (task: Omit<ReadTask, 'base'>) =>
    sqls[index]!.run({ ...task, baseline })
  type Run = (task: Omit<ReadTask, 'base'>) => Promise<LoopResult>
  const sides: Record<Side, Run> & { pooled?: Run } = {
    ours: overHttp(apis.base),
    sql: overSql(0),
    sqlAgain: overSql(1),
    http: overHttp(bases[0]!),
    httpAgain: overHttp(bases[1]!),
    ...(apis.pooled && { pooled: overHttp(apis.pooled.base) }),
  }
  const measured = Object.keys(sides) as (keyof typeof sides)[]
  try {
    for (const side of measured) await sides[side]!({ names: READ_NAMES, sessions, loop: WARM_UP })
    const round = Object.fromEntries(READ_NAMES.map((name) => [name, {}])) as Round
    const measurements = READ_NAMES.flatMap((name) => measured.map((side) => ({ name, side })))
    for (const { name, side } of shuffled(measurements)) {
      round[name][side] = await sides[side]!({ names: [name], sessions, loop: MEASUREMENT })
    }
    return round
  } finally {
    for (const helper of [client, ...sqls, ...servers]) helper.stop()
  }
}

/** The comparison is only valid if both sides return the same responses. */
export async function expectSameResponses(base: string, baseline: Baseline): Promise<void> {
  const { read, close } = readBaseline(baseline)
  try {
    for (const veteran of [0, 1, 2]) {
      for (const name of READ_NAMES) {
        const headers = { cookie: cookieOf(veteran) }
        const ours = await fetch(base + READS[name].path, { headers })
        deepEqual(JSON.parse(JSON.stringify(await read(name, veteran))), await ours.json())
      }
    }
  } finally {
    await close()
  }
}

/** The rate and the times of each read, compared with the baselines. */
export function readFigures(rounds: readonly Round[]) {
  const reads = READ_NAMES.map((name) => readFigure(rounds, name))
  const controls = (['sql', 'http'] as const).map((side) => {
    const { valid, text } = controlFigure(
      rounds.map((round) => meanOfReads((name) => ratio(round, name, `${side}Again`, side))),
    )
    return { valid, text: `${side}: ${text}` }
  })
  const overallRatio = (side: Side, base: Side) =>
    ratioFigure(rounds.map((round) => meanOfReads((name) => ratio(round, name, side, base)))).text
  return {
    reached: reads.every(({ reached }) => reached),
    valid: controls.every(({ valid }) => valid),
    lines: [
      ...controls.map(({ text }) => text),
      ...reads.map(({ line }) => line),
      `all ${READ_NAMES.length}: against a minimal server ${overallRatio('ours', 'http')}, against SQL alone ` +
        `${overallRatio('ours', 'sql')}; a minimal server against SQL alone ${overallRatio('http', 'sql')}`,
      ...pooledFigures(rounds),
    ],
  }
}

function readFigure(rounds: readonly Round[], name: ReadName) {
  const medianOf = (side: Side, field: keyof LoopResult) =>
    median(rounds.map((round) => round[name][side][field]))
  const ratioTo = (side: Side) =>
    ratioFigure(rounds.map((round) => ratio(round, name, 'ours', side)))
  const [sql, http] = [ratioTo('sql'), ratioTo('http')]
  // The goal is relative to the minimal server, which does the same work; SQL alone sends no response.
  const reached = http.low >= MIN_RATIO
  const rates = (['ours', 'http', 'sql'] as const).map((side) => fixed(medianOf(side, 'rate'), 0))
  const line =
    `${name}: ${rates[0]} a second, p50 ${fixed(medianOf('ours', 'p50'))} ms, ` +
    `p95 ${fixed(medianOf('ours', 'p95'))} ms; minimal server ${rates[1]}, ratio ${http.text}, ` +
    `goal at least ${MIN_RATIO} at the lower end: ${verdict(reached)}; ` +
    `SQL alone ${rates[2]}, ratio ${sql.text}`
  return { reached, line }
}

/** How the last round compares, for the progress of the run. */
export function roundFigure(round: Round): string {
  const ratioTo = (side: Side) => fixed(meanOfReads((name) => ratio(round, name, 'ours', side)))
  const rate = meanOfReads((name) => round[name].ours.rate)
  return (
    `${fixed(rate, 0)} reads a second (geometric mean), ratio to a minimal server ${ratioTo('http')}, ` +
    `to SQL alone ${ratioTo('sql')}`
  )
}

/** Ours through PgBouncer, if it was measured. */
function pooledFigures(rounds: readonly Round[]): string[] {
  const pooled = (round: Round, name: ReadName) => round[name].pooled?.rate ?? Number.NaN
  if (rounds.some((round) => READ_NAMES.some((name) => Number.isNaN(pooled(round, name)))))
    return []
  const ratios = rounds.map((round) =>
    meanOfReads((name) => pooled(round, name) / round[name].ours.rate),
  )
  const p95 = (side: 'ours' | 'pooled') =>
    median(rounds.flatMap((round) => READ_NAMES.map((name) => round[name][side]!.p95)))
  return [
    `through PgBouncer: ratio ${ratioFigure(ratios).text} of the rate of direct connections, ` +
      `p95 ${fixed(p95('pooled'))} ms instead of ${fixed(p95('ours'))} ms`,
  ]
}

function ratio(round: Round, name: ReadName, side: Side, base: Side): number {
  return round[name][side].rate / round[name][base].rate
}

/** The geometric mean, because these are ratios. */
function meanOfReads(ratioOfRead: (name: ReadName) => number): number {
  const product = READ_NAMES.reduce((result, name) => result * ratioOfRead(name), 1)
  return product ** (1 / READ_NAMES.length)
}
