import { Worker } from 'node:worker_threads'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { tooBusy } from '@guidon/contract/refusal'
import { refuse } from '../http/refuse.ts'
import { fairSemaphore, QueueFull } from '../platform/fair-semaphore.ts'
import type { Question, Verdict } from './strength-thread.ts'

/** Of one address or account. */
const WAITING_OF_ONE = 25
const WAIT_MS = 8_000
const BUSY_RETRY_SECONDS = 30

export interface Strength {
  /** The key is who asks: an address, or an account. Keys take turns. */
  isHardToGuess(password: string, person: PersonalInfo, key: string): Promise<boolean>
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

  const turns = fairSemaphore({ atOnce: 1, waitingPerKey: WAITING_OF_ONE, waitMs: WAIT_MS })
  const estimate = (password: string, person: PersonalInfo) =>
    new Promise<boolean>((resolve, reject) => {
      thread ??= start()
      asked += 1
      waiting.set(asked, { resolve, reject })
      thread.postMessage({ number: asked, password, person } satisfies Question)
    })

  return {
    isHardToGuess: (password, person, key) =>
      turns
        .run(key, () => estimate(password, person))
        .catch((error: unknown) => {
          if (!(error instanceof QueueFull)) throw error
          throw refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
        }),
    close: async () => void (await thread?.terminate()),
  }
}
