import { EventEmitter } from 'node:events'

export const KINDS = [
  'token',
  'query',
  'queryAll',
  'queryMore',
  'create',
  'get',
  'update',
  'delete',
  'upsert',
  'collection',
  'composite',
  'describe',
  'limits',
  'other',
] as const
export type Kind = (typeof KINDS)[number]

export interface Usage {
  calls: Record<Kind, number>
  /** Calls of today (UTC) that count against the quota, and how many are allowed. */
  used: number
  max: number
}

/** Counts the calls by kind, and those of the day against the quota. */
export class UsageCounter {
  readonly counted = new EventEmitter().setMaxListeners(0)
  readonly #max: number
  #calls = noCalls()
  #used = 0
  #day = today()

  constructor(max: number) {
    this.#max = max
  }

  get usage(): Usage {
    this.#turnDay()
    return { calls: { ...this.#calls }, used: this.#used, max: this.#max }
  }

  get header(): string {
    const { used, max } = this.usage
    return `api-usage=${used}/${max}`
  }

  count(kind: Kind): void {
    this.#calls[kind] += 1
    this.counted.emit('call')
  }

  /** Uses up one call of the day, or says that none is left. */
  spend(): boolean {
    this.#turnDay()
    if (this.#used >= this.#max) return false
    this.#used += 1
    return true
  }

  /** As if so many calls had been made today. */
  setUsed(used: number): void {
    this.#used = used
  }

  reset(): void {
    this.#calls = noCalls()
    this.#used = 0
  }

  #turnDay(): void {
    if (this.#day === today()) return
    this.#day = today()
    this.#used = 0
  }
}

function noCalls(): Record<Kind, number> {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
