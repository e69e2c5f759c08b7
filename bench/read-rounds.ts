import { deepEqual } from 'node:assert/strict'
import { readBaseline } from './baseline-read.ts'
import type { Baseline } from './baseline-read.ts'
import type { BaselineSqlTask } from './baseline-sql.ts'
import type { Slice } from './client.ts'
import type { DashboardStack } from './dashboard-stack.ts'
import { helper } from './helper-process.ts'
import type { ReadTask } from './read-task.ts'
import { READ_NAMES, READS } from './reads.ts'
import type { ReadName } from './reads.ts'
import { shuffled } from './stats.ts'
import { cookieOf } from './veterans.ts'

const AT_ONCE = 16
const SLICE = { atOnce: AT_ONCE, warmUpMs: 200, ms: 1_000 }
/** A new process is slow until its code is compiled. */
const WARM_UP = { atOnce: AT_ONCE, warmUpMs: 0, ms: 2_500 }

const SIDES = ['ours', 'sql', 'sqlAgain', 'http', 'httpAgain'] as const
export type Side = (typeof SIDES)[number]
export type Round = Record<ReadName, Record<Side, Slice>>

/** Uses new processes, and a random order so that disturbances affect all sides equally. */
export async function readRound(
  stack: DashboardStack,
  baseline: Baseline,
  sessions: number,
): Promise<Round> {
  await stack.restart()
  const client = helper<ReadTask, Slice>('read-load.ts')
  const sqls = [0, 1].map(() => helper<BaselineSqlTask, Slice>('baseline-sql.ts'))
  const servers = [0, 1].map(() => helper<Baseline, string>('baseline-http.ts'))
  const bases = await Promise.all(servers.map((server) => server.run(baseline)))
  const overHttp = (base: string) => (task: Omit<ReadTask, 'base'>) => client.run({ ...task, base })
  const overSql = (at: number) => (task: Omit<ReadTask, 'base'>) =>
    sqls[at]!.run({ ...task, baseline })
  const sides: Record<Side, (task: Omit<ReadTask, 'base'>) => Promise<Slice>> = {
    ours: overHttp(stack.base),
    sql: overSql(0),
    sqlAgain: overSql(1),
    http: overHttp(bases[0]!),
    httpAgain: overHttp(bases[1]!),
  }
  try {
    for (const side of SIDES) await sides[side]({ names: READ_NAMES, sessions, loop: WARM_UP })
    const round = Object.fromEntries(READ_NAMES.map((name) => [name, {}])) as Round
    const slices = READ_NAMES.flatMap((name) => SIDES.map((side) => ({ name, side })))
    for (const { name, side } of shuffled(slices)) {
      round[name][side] = await sides[side]({ names: [name], sessions, loop: SLICE })
    }
    return round
  } finally {
    for (const one of [client, ...sqls, ...servers]) one.stop()
  }
}

/** The comparison is only valid if both sides return the same responses. */
export async function expectSameResponses(
  stack: DashboardStack,
  baseline: Baseline,
): Promise<void> {
  const { read, close } = readBaseline(baseline)
  for (const veteran of [0, 1, 2]) {
    for (const name of READ_NAMES) {
      const headers = { cookie: cookieOf(veteran) }
      const ours = await fetch(stack.base + READS[name].path, { headers })
      deepEqual(await read(name, veteran), await ours.json())
    }
  }
  await close()
}
