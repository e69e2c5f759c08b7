import { Worker } from 'node:worker_threads'
import type { KnownOfPerson } from '@guidon/contract/password-strength'
import { tooBusy } from '@guidon/contract/refusal'
import { refuse } from '../../http/refuse.ts'
import type { Question, Verdict } from './strength-thread.ts'

const WAITING_MOST = 50
const BUSY_RETRY_SECONDS = 30

export interface Strength {
  isHardToGuess(password: string, person: KnownOfPerson): Promise<boolean>
  close(): Promise<void>
}

/** In a thread of its own: an estimate takes up to 300 ms, during which nobody else would be answered. */
export function strength(): Strength {
  const waiting = new Map<
    number,
    { resolve: (hard: boolean) => void; reject: (error: Error) => void }
  >()
  let thread: Worker | undefined
  let asked = 0

  const start = () => {
    const started = new Worker(new URL('./strength-thread.ts', import.meta.url))
    started.unref()
    started.on('message', ({ number, hard }: Verdict) => {
      waiting.get(number)?.resolve(hard)
      waiting.delete(number)
    })
    started.on('error', (error) => {
      thread = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    })
    return started
  }

  return {
    isHardToGuess: (password, person) =>
      new Promise((resolve, reject) => {
        if (waiting.size >= WAITING_MOST) {
          reject(refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS }))
          return
        }
        thread ??= start()
        asked += 1
        waiting.set(asked, { resolve, reject })
        thread.postMessage({ number: asked, password, person } satisfies Question)
      }),
    close: async () => void (await thread?.terminate()),
  }
}
