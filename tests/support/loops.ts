import { setTimeout as delay } from 'node:timers/promises'

/** Tasks that are repeated at the same time until `end`. */
export class Loops {
  readonly #onError: (error: unknown) => void
  readonly #running: Promise<void>[] = []
  #isEnded = false

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  start(task: (turn: number) => Promise<unknown>, pauseMs: number): void {
    this.#running.push(this.#repeat(task, pauseMs))
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.all(this.#running)
  }

  async #repeat(task: (turn: number) => Promise<unknown>, pauseMs: number): Promise<void> {
    for (let turn = 0; !this.#isEnded; turn += 1) {
      await task(turn).catch(this.#onError)
      await delay(pauseMs)
    }
  }
}
