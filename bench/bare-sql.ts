import { bareRead } from './bare-read.ts'
import type { Bare } from './bare-read.ts'
import { closedLoop } from './client.ts'
import { veteranFrom } from './read-task.ts'
import type { ReadTask } from './read-task.ts'
import { runTasks } from './run-tasks.ts'

/** SQL statements without a server, in a process of its own: the baseline for reads. */

export type BareSqlTask = Omit<ReadTask, 'base'> & { bare: Bare }

let opened: ReturnType<typeof bareRead> | undefined

runTasks(({ bare, names, sessions, loop }: BareSqlTask) => {
  const { read } = (opened ??= bareRead(bare))
  const next = veteranFrom(sessions)
  let turn = 0
  return closedLoop(loop, async () => {
    await read(names[turn++ % names.length]!, next())
    return true
  })
})
