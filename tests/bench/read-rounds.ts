import { deepEqual } from 'node:assert/strict'
import { startHelper } from '../support/outside/helper-process.ts'
import type { LoopResult } from '../support/outside/load.ts'
import { shuffled } from '../support/outside/statistics.ts'
import { readBaseline } from './baseline-read.ts'
import type { Baseline } from './baseline-read.ts'
import type { BaselineSqlTask } from './baseline-sql.ts'
import type { DashboardStack } from './dashboard-stack.ts'
import type { ReadTask } from './read-task.ts'
import { READ_NAMES, READS } from './reads.ts'
import type { ReadName } from './reads.ts'
import { cookieOf } from './veterans.ts'

const CONCURRENCY = 16
const MEASUREMENT = { concurrency: CONCURRENCY, warmUpMs: 200, ms: 1_000 }
/** A new process is slow until its code is compiled. */
const WARM_UP = { concurrency: CONCURRENCY, warmUpMs: 0, ms: 2_500 }

/** The sides that are compared. `…Again` is the same baseline in a second process: the control. */
export type Side = 'ours' | 'sql' | 'sqlAgain' | 'http' | 'httpAgain'
/** `pooled`: ours through PgBouncer, with the option `--pooler`. */
export type Round = Record<ReadName, Record<Side, LoopResult> & { pooled?: LoopResult }>

/** Starts new processes and measures in random order, so that disturbances affect all sides equally. */
export async function readRound(
  stack: DashboardStack,
  baseline: Baseline,
  sessions: number,
): Promise<Round> {
  await stack.restart()
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
    ours: overHttp(stack.base),
    sql: overSql(0),
    sqlAgain: overSql(1),
    http: overHttp(bases[0]!),
    httpAgain: overHttp(bases[1]!),
    ...(stack.pooled && { pooled: overHttp(stack.pooled.base) }),
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
export async function expectSameResponses(
  stack: DashboardStack,
  baseline: Baseline,
): Promise<void> {
  const { read, close } = readBaseline(baseline)
  try {
    for (const veteran of [0, 1, 2]) {
      for (const name of READ_NAMES) {
        const headers = { cookie: cookieOf(veteran) }
        const ours = await fetch(stack.base + READS[name].path, { headers })
        deepEqual(JSON.parse(JSON.stringify(await read(name, veteran))), await ours.json())
      }
    }
  } finally {
    await close()
  }
}
