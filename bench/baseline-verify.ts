import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { closedLoop } from './client.ts'
import { runTasks } from './run-tasks.ts'

/** Password verifications on all cores, in a process of its own: the baseline for sign-ins. */

export interface BaselineTask {
  stored: string
  password: string
  pepper: string
  warmUpMs: number
  ms: number
}

runTasks(async ({ stored, password, pepper, warmUpMs, ms }: BaselineTask) => {
  const options = { secret: Buffer.from(pepper, 'base64') }
  const loop = { atOnce: availableParallelism(), warmUpMs, ms }
  const { rate } = await closedLoop(loop, () => verify(stored, password, options))
  return rate
})
