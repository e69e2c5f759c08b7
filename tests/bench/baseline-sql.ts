import { closedLoop } from '../support/outside/load.ts'
import { runTasks } from '../support/outside/run-tasks.ts'
import { readBaseline } from './baseline-read.ts'
import type { Baseline } from './baseline-read.ts'
import { randomVeteran } from './reads.ts'
import type { ReadTask } from './reads.ts'

/** The first baseline for reads: runs the API's SQL statements without a server, in a separate process. */

export type BaselineSqlTask = Omit<ReadTask, 'base'> & { baseline: Baseline }

let opened: ReturnType<typeof readBaseline> | undefined

runTasks(({ baseline, names, sessions, loop }: BaselineSqlTask) => {
  const { read } = (opened ??= readBaseline(baseline))
  const next = randomVeteran(sessions)
  let turn = 0
  return closedLoop(loop, async () => {
    await read(names[turn++ % names.length]!, next())
    return true
  })
})
