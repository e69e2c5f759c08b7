import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { answerTasks } from './answer-tasks.ts'
import { closedLoop } from './client.ts'

/** The engine of a sign-in run bare, in a process of its own: as many verifies as the cores can do. */

export interface BareTask {
  stored: string
  password: string
  pepper: string
  warmUpMs: number
  ms: number
}

answerTasks(async ({ stored, password, pepper, warmUpMs, ms }: BareTask) => {
  const options = { secret: Buffer.from(pepper, 'base64') }
  const loop = { atOnce: availableParallelism(), warmUpMs, ms }
  const { rate } = await closedLoop(loop, () => verify(stored, password, options))
  return rate
})
