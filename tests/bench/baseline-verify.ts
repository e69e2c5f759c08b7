import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { closedLoop } from '../support/outside/load.ts'
import { runTasks } from '../support/outside/run-tasks.ts'

/** The baseline for sign-ins: verifies passwords on all cores, in a separate process. */

export interface VerifyTask {
  passwordHash: string
  password: string
  pepper: string
  warmUpMs: number
  ms: number
}

runTasks(async ({ passwordHash, password, pepper, warmUpMs, ms }: VerifyTask) => {
  const options = { secret: Buffer.from(pepper, 'base64') }
  const loop = { concurrency: availableParallelism(), warmUpMs, ms }
  const { rate } = await closedLoop(loop, () => verify(passwordHash, password, options))
  return rate
})
