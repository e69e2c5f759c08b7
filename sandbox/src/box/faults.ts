import { EventEmitter } from 'node:events'
import { matchesGlob } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { untilSo } from '../waiting.ts'

export const FAULT_MODES = [
  'none',
  /** The connection is cut on arrival. */
  'down',
  /** Held until another order comes; then it goes on, if its sender is still there. */
  'hang',
  '500',
  '503',
  '429',
  /** The token that the call carries is void from now on. */
  'expired-token',
  /** The work is done; the answer breaks off in the middle. */
  'truncated',
  /** The work is done; the connection is cut before the answer. */
  'lost-answer',
  'slow',
  /** A commit or a download is not ready yet: ask again. */
  '202',
] as const
export type FaultMode = (typeof FAULT_MODES)[number]

export interface Fault {
  mode: FaultMode
  /** How many calls are still to be affected; without it, all until the mode changes. */
  times?: number
  method?: string
  /** A glob over the path, such as `/2.0/folders/**`; the upload host's prefix is left out. */
  path?: string
  /** How long a slow call waits. */
  delayMs?: number
}

/** Decides what happens to a call, and holds those that are to hang. */
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
    if (fault.mode !== 'hang') for (const release of this.#held) release()
  }

  /** What is to happen to this call; asking uses up one of `times`. */
  strike(method: string, path: string): Fault {
    const fault = this.current
    if (fault.mode === 'none' || !affects(fault, method, path)) return { mode: 'none' }
    if (this.#fault.times !== undefined) {
      this.#fault.times -= 1
      // What is being held stays held: only a new order lets go.
      if (this.#fault.times <= 0) this.#fault = { mode: 'none' }
    }
    return fault
  }

  /** Settles once the call is let go, or once its sender has left. */
  async hold(left: AbortSignal): Promise<void> {
    const released = Promise.withResolvers<void>()
    const release = () => released.resolve()
    left.addEventListener('abort', release)
    if (left.aborted) release()
    this.#held.add(release)
    this.#holds.emit('hold')
    await released.promise
    this.#held.delete(release)
    // The news that a sender was killed may be waiting in the queue behind the order to let go.
    await nextTurn()
    await nextTurn()
  }

  /** Answers how many are held, as soon as one is or when `signal` says to wait no longer. */
  async waitForHold(signal: AbortSignal): Promise<number> {
    await untilSo(this.#holds, 'hold', signal, () => this.#held.size > 0)
    return this.#held.size
  }
}

function affects(fault: Fault, method: string, path: string): boolean {
  // A token that was only just asked for cannot have expired.
  if (fault.mode === 'expired-token' && path === '/oauth2/token') return false
  if (fault.mode === '202' && !canBePending(method, path)) return false
  if (fault.method !== undefined && fault.method !== method) return false
  return fault.path === undefined || matchesGlob(path, fault.path)
}

function canBePending(method: string, path: string): boolean {
  return path.endsWith('/commit') || (method === 'GET' && path.endsWith('/content'))
}

export const FAULT_HELP =
  `Send { "mode": ${FAULT_MODES.join(' | ')}, "times"?: a whole number above 0, ` +
  '"method"?: "POST", "path"?: "/2.0/files/*", "delayMs"?: for slow }'

export function readFault(body: unknown): Fault | undefined {
  const { mode, times, method, path, delayMs } = (body ?? {}) as Record<string, unknown>
  if (!FAULT_MODES.includes(mode as FaultMode)) return undefined
  if (![times, delayMs].every((value) => value === undefined || isCount(value))) return undefined
  if (![method, path].every((value) => value === undefined || typeof value === 'string')) {
    return undefined
  }
  const given = Object.entries({ mode, times, method, path, delayMs })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as Fault
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0
}
