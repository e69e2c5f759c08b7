import type { Loop } from '../support/outside/load.ts'
import { runTasks } from '../support/outside/run-tasks.ts'
import { loadServer } from './plain-connection.ts'

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
