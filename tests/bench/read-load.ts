import { runTasks } from '../support/outside/run-tasks.ts'
import { loadServer } from './plain-connection.ts'
import { randomVeteran, READS } from './reads.ts'
import type { ReadTask } from './reads.ts'
import { cookieOf } from './veterans.ts'

/** Sends dashboard reads to a server and measures them, in a separate process. */

function load({ base, names, sessions, loop }: ReadTask) {
  const next = randomVeteran(sessions)
  let turn = 0
  return loadServer(base, loop, () => ({
    path: READS[names[turn++ % names.length]!].path,
    header: `cookie: ${cookieOf(next())}`,
  }))
}

runTasks(load)
