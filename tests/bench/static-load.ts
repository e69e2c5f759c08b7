import type { Loop } from './client.ts'
import { loadServer } from './plain-connection.ts'
import { runTasks } from './run-tasks.ts'

export interface StaticTask {
  base: string
  paths: readonly string[]
  loop: Loop
}

/** Requests files from a server, in a separate process. */
function load({ base, paths, loop }: StaticTask) {
  let turn = 0
  return loadServer(base, loop, () => ({
    path: paths[turn++ % paths.length]!,
    header: 'accept-encoding: gzip',
  }))
}

runTasks(load)
