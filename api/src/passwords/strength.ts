import { Worker } from 'node:worker_threads'
import {
  containsName,
  passwordGuessable,
  passwordHasName,
  personalWords,
} from '@guidon/contract/password-strength'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { tooBusy } from '@guidon/contract/refusal'
import type { Refusal } from '@guidon/contract/refusal'
import { refuse } from '../http/refuse.ts'
import { fairSemaphore, QueueFull } from '../platform/fair-semaphore.ts'
import type { Estimate, EstimateResult } from './strength-thread.ts'

const MAX_WAITING_PER_KEY = 25
const WAIT_MS = 8_000
const BUSY_RETRY_SECONDS = 30

export interface Strength {
  /**
   * Returns the rule that the password breaks, if any. The key is the client's address, or an account. Keys
   * take turns.
   */
  weakness(password: string, person: PersonalInfo, key: string): Promise<Refusal | undefined>
}

const pending = new Map<
  number,
  { resolve: (guessable: boolean) => void; reject: (error: Error) => void }
>()
/** One for the whole process. A thread, because an estimate takes up to 300 ms and would block the event loop. */
let thread: Worker | undefined
let number = 0

function startThread(): Worker {
  const started = new Worker(new URL('./strength-thread.ts', import.meta.url))
  // It ends with the process.
  started.unref()
  started.on('message', (result: EstimateResult) => {
    pending.get(result.number)?.resolve(result.guessable)
    pending.delete(result.number)
  })
  started.on('error', (error) => {
    thread = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  })
  return started
}

const estimate = (password: string, person: PersonalInfo) =>
  new Promise<boolean>((resolve, reject) => {
    thread ??= startThread()
    number += 1
    pending.set(number, { resolve, reject })
    const knownWords = personalWords(person)
    thread.postMessage({ number, password, knownWords } satisfies Estimate)
  })

export function strength(): Strength {
  const turns = fairSemaphore({
    maxRunning: 1,
    maxWaitingPerKey: MAX_WAITING_PER_KEY,
    maxWaitMs: WAIT_MS,
  })
  return {
    weakness: async (password, person, key) => {
      if (containsName(password, person)) return passwordHasName
      const guessable = await turns
        .run(key, () => estimate(password, person))
        .catch((error: unknown) => {
          if (!(error instanceof QueueFull)) throw error
          throw refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
        })
      return guessable ? passwordGuessable : undefined
    },
  }
}
