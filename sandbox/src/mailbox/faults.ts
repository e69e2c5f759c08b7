import { EventEmitter } from 'node:events'
import { untilSo } from '../waiting.ts'

export const FAULT_MODES = ['none', 'refuse', 'hang', 'fail'] as const
export type FaultMode = (typeof FAULT_MODES)[number]

export interface Fault {
  mode: FaultMode
  /** How many deliveries are still to be affected; without it, all until the mode changes. */
  times?: number
}

export interface Stats {
  accepted: number
  /** Deliveries held at this moment. */
  hanging: number
  refused: number
  failed: number
  /** Deliveries whose client left while they were held. */
  abandoned: number
}

interface Held {
  settled: Promise<void>
  release(): void
}

/** Decides what happens to a delivery, and counts what did. */
export class Faults {
  #fault: Fault = { mode: 'none' }
  readonly #held = new Set<Held>()
  readonly #holds = new EventEmitter().setMaxListeners(0)
  readonly #counts = { accepted: 0, refused: 0, failed: 0, abandoned: 0 }

  get current(): Fault {
    return { ...this.#fault }
  }

  get stats(): Stats {
    return { ...this.#counts, hanging: this.#held.size }
  }

  count(outcome: Exclude<keyof Stats, 'hanging'>): void {
    this.#counts[outcome] += 1
  }

  /** Settles when every delivery that the change lets go has been accepted or dropped. */
  async set(fault: Fault): Promise<void> {
    this.#fault = { ...fault }
    if (fault.mode !== 'hang') await this.releaseHeld()
  }

  async releaseHeld(): Promise<void> {
    const held = [...this.#held]
    for (const delivery of held) delivery.release()
    await Promise.all(held.map((delivery) => delivery.settled))
  }

  /** Is this delivery affected by `mode`? Asking uses up one of `times`. */
  strikes(mode: FaultMode): boolean {
    if (this.#fault.mode !== mode) return false
    if (this.#fault.times !== undefined) {
      this.#fault.times -= 1
      // What is being held stays held: only a new order lets go.
      if (this.#fault.times <= 0) this.#fault = { mode: 'none' }
    }
    return true
  }

  /** Runs `outcome` once the delivery is let go, or once its client has left. */
  async hold(left: AbortSignal, outcome: () => Promise<void>): Promise<void> {
    const released = Promise.withResolvers<void>()
    const release = () => released.resolve()
    left.addEventListener('abort', release)
    if (left.aborted) release()
    const held: Held = {
      release,
      settled: released.promise.then(outcome).finally(() => this.#held.delete(held)),
    }
    this.#held.add(held)
    this.#holds.emit('hold')
    await held.settled
  }

  /** Answers how many are held, as soon as one is or when `signal` says to wait no longer. */
  async waitForHold(signal: AbortSignal): Promise<number> {
    await untilSo(this.#holds, 'hold', signal, () => this.#held.size > 0)
    return this.#held.size
  }
}
