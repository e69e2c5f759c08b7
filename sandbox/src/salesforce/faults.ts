import { EventEmitter } from 'node:events'
import { untilSo } from '../waiting.ts'

export const FAULT_MODES = [
  'none',
  'down',
  'hang',
  '500',
  '429',
  'quota',
  'expired-token',
  'truncated',
  'lost',
  'slow',
] as const
export type FaultMode = (typeof FAULT_MODES)[number]

/**
 * `down` breaks the connection before the work; `lost` after it, before the answer; `truncated` in the
 * middle of the answer. The others are what their names say.
 */
export interface Fault {
  mode: FaultMode
  /** How many calls are still to be affected; without it, all until the mode changes. */
  times?: number
  /** Only calls whose method and path contain this: `PATCH`, `/composite`, `oauth2/token`. */
  match?: string
  /** How long `slow` waits before it answers. */
  milliseconds?: number
}

const SLOW_MS = 2_000

/** Decides what happens to a call, and holds those that hang. */
export class Faults {
  #fault: Fault = { mode: 'none' }
  readonly #held = new Set<() => void>()
  readonly #holds = new EventEmitter().setMaxListeners(0)

  get current(): Fault {
    return { ...this.#fault }
  }

  get hanging(): number {
    return this.#held.size
  }

  set(fault: Fault): void {
    this.#fault = { ...fault }
    if (fault.mode !== 'hang') this.release()
  }

  release(): void {
    for (const letGo of this.#held) letGo()
  }

  /** What happens to this call; asking uses up one of `times`. */
  strike(call: string, isToken: boolean): Fault {
    const fault = this.#fault
    const { mode, match, times } = fault
    if (match !== undefined && !call.includes(match)) return { mode: 'none' }
    // A quota and a session are matters of the data calls; a token is asked without either.
    if (isToken && (mode === 'quota' || mode === 'expired-token')) return { mode: 'none' }
    if (times !== undefined) {
      this.#fault = times <= 1 ? { mode: 'none' } : { ...fault, times: times - 1 }
    }
    return fault
  }

  async slowness({ milliseconds = SLOW_MS }: Fault, left: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      left.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Settles when the call is let go, or its client has left. */
  async hold(left: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const letGo = () => {
      this.#held.delete(letGo)
      this.#holds.emit('hold')
      resolve()
    }
    this.#held.add(letGo)
    left.addEventListener('abort', letGo)
    if (left.aborted) letGo()
    this.#holds.emit('hold')
    return promise
  }

  /** Answers how many are held, once that is as wanted or when `signal` says to wait no longer. */
  async waitForHold(some: boolean, signal: AbortSignal): Promise<number> {
    await untilSo(this.#holds, 'hold', signal, () => this.#held.size > 0 === some)
    return this.#held.size
  }
}
