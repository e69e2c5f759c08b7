import { Worker } from 'node:worker_threads'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { tooBusy } from '@guidon/contract/refusal'
import { refuse } from '../http/refuse.ts'
import { fairSemaphore, QueueFull } from '../platform/fair-semaphore.ts'
import type { Estimate, EstimateResult } from './strength-thread.ts'

const MAX_WAITING_PER_KEY = 25
const WAIT_MS = 8_000
const BUSY_RETRY_SECONDS = 30

export interface Strength {
  /** The key is the client's address, or an account. Keys take turns. */
  isHardToGuess(password: string, person: PersonalInfo, key: string): Promise<boolean>
  close(): Promise<void>
}

/** Uses a thread, because an estimate takes up to 300 ms and would block the event loop. */
export function strength(): Strength {
  const pending = new Map<
    number,
    { resolve: (isHard: boolean) => void; reject: (error: Error) => void }
  >()
  let thread: Worker | undefined
  let number = 0

  const start = () => {
    const started = new Worker(new URL('./strength-thread.ts', import.meta.url))
    started.unref()
    started.on('message', (result: EstimateResult) => {
      pending.get(result.number)?.resolve(result.isHard)
      pending.delete(result.number)
    })
    started.on('error', (error) => {
      thread = undefined
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    })
    return started
  }

  const turns = fairSemaphore({
    maxRunning: 1,
    maxWaitingPerKey: MAX_WAITING_PER_KEY,
    waitMs: WAIT_MS,
  })
  const estimate = (password: string, person: PersonalInfo) =>
    new Promise<boolean>((resolve, reject) => {
      thread ??= start()
      number += 1
      pending.set(number, { resolve, reject })
      thread.postMessage({ number, password, person } satisfies Estimate)
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
