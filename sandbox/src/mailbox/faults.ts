import { FaultInjection } from '../fault-injection.ts'

/**
 * `refuse` responds to a connection with 421, `fail` to a delivery with 451. `hang` holds a delivery until the fault
 * changes.
 */
export const FAULT_MODES = ['none', 'refuse', 'hang', 'fail'] as const
export type FaultMode = (typeof FAULT_MODES)[number]

export interface Fault {
  mode: FaultMode
  /** How many deliveries it still affects; without it, every delivery until the fault is replaced. */
  times?: number
}

export interface Stats {
  accepted: number
  /** Deliveries held at this moment. */
  hanging: number
  refused: number
  failed: number
  /** Held deliveries whose client disconnected. */
  abandoned: number
}

/** Decides which fault affects a delivery, and counts the outcomes. */
export class Faults extends FaultInjection<Fault> {
  readonly #deliveries = new Set<Promise<void>>()
  readonly #counts = { accepted: 0, refused: 0, failed: 0, abandoned: 0 }

  get stats(): Stats {
    return { ...this.#counts, hanging: this.heldCount }
  }

  count(outcome: Exclude<keyof Stats, 'hanging'>): void {
    this.#counts[outcome] += 1
  }

  /** Sets the fault. Settles when each delivery that it releases has been accepted or abandoned. */
  async replace(fault: Fault): Promise<void> {
    this.set(fault)
    if (fault.mode !== 'hang') await this.finishDeliveries()
  }

  /** Releases the held deliveries and waits for their outcomes. */
  async finishDeliveries(): Promise<void> {
    this.release()
    await Promise.all(this.#deliveries)
  }

  /** Returns whether the delivery is affected by `mode`, and uses up one of its `times`. */
  affects(mode: FaultMode): boolean {
    return this.apply((fault) => fault.mode === mode).mode === mode
  }

  /** Runs `outcome` when the delivery is released or its client disconnects. */
  async holdDelivery(disconnected: AbortSignal, outcome: () => void): Promise<void> {
    const delivery = this.hold(disconnected).then(outcome)
    this.#deliveries.add(delivery)
    await delivery.finally(() => this.#deliveries.delete(delivery))
  }
}
