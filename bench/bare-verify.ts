import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { closedLoop } from './client.ts'

/** The engine of a sign-in run bare, in a process of its own: as many verifies as the cores can do. */

export interface BareTask {
  stored: string
  password: string
  pepper: string
  warmUpMs: number
  ms: number
}

process.on('message', ({ stored, password, pepper, warmUpMs, ms }: BareTask) => {
  const options = { secret: Buffer.from(pepper, 'base64') }
  void closedLoop({ atOnce: availableParallelism(), warmUpMs, ms }, () =>
    verify(stored, password, options),
  ).then((rate) => process.send?.(rate))
})
