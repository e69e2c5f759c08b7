import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { waitUntil } from './long-poll.ts'

interface InjectedFault<Mode extends string> {
  mode: Mode | 'none'
  /** How many calls it still affects; without it, every call until the fault is replaced. */
  times?: number
}

/** Keeps the current fault, applies it to calls, and holds the calls that hang. */
export class FaultInjection<Fault extends InjectedFault<string>> {
  readonly #none = { mode: 'none' } as Fault
  #fault = this.#none
  readonly #held = new Set<() => void>()
  readonly #changes = new EventEmitter().setMaxListeners(0)

  get current(): Fault {
    return { ...this.#fault }
  }

  /** The number of calls held at this moment. */
  get heldCount(): number {
    return this.#held.size
  }

  set(fault: Fault): void {
    this.#fault = { ...fault }
    if (fault.mode !== 'hang') this.release()
  }

  /** Returns the fault if it affects the call, and uses up one of its `times`. */
  apply(affects: (fault: Fault) => boolean): Fault {
    const fault = this.current
    if (fault.mode === 'none' || !affects(fault)) return this.#none
    if (fault.times !== undefined) {
      // Held calls stay held: only a new fault releases them.
      this.#fault = fault.times <= 1 ? this.#none : { ...fault, times: fault.times - 1 }
    }
    return fault
  }

  release(): void {
    for (const release of this.#held) release()
  }

  /** Settles when the call is released or its client disconnects. */
  async hold(disconnected: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const release = () => {
      this.#held.delete(release)
      this.#changes.emit('change')
      resolve()
    }
    this.#held.add(release)
    this.#changes.emit('change')
    disconnected.addEventListener('abort', release)
    if (disconnected.aborted) release()
    await promise
    // If the client was killed before the release, its disconnect may still be queued: let the caller see it.
    await nextTurn()
    await nextTurn()
  }

  /** Waits until calls are held, or until none is, or until `signal` aborts. Returns the number of held calls. */
  async waitForHeldCalls(signal: AbortSignal, until: 'some' | 'none' = 'some'): Promise<number> {
    const isReached = () => (until === 'some' ? this.heldCount > 0 : this.heldCount === 0)
    await waitUntil(this.#changes, 'change', signal, isReached)
    return this.heldCount
  }
}

/** The mode and the times of a fault in a request body; undefined if they are not valid. */
export function readFault<Mode extends string>(
  body: unknown,
  modes: readonly Mode[],
): { mode: Mode; times?: number } | undefined {
  const { mode, times } = (body ?? {}) as { mode?: unknown; times?: unknown }
  if (!modes.includes(mode as Mode)) return undefined
  if (times === undefined) return { mode: mode as Mode }
  return isCount(times) ? { mode: mode as Mode, times } : undefined
}

export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0
}
