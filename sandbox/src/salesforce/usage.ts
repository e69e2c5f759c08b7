const KINDS = [
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
  /** Parts of composite calls, which count as one call together. */
  parts: Record<Kind, number>
  /** Rows that were sent in collections. */
  records: number
  /** Calls of today (UTC) that count against the quota. */
  used: number
  max: number
}

/** Counts the calls by kind, and the calls of the day against the quota. */
export class UsageCounter {
  readonly #max: number
  #calls = noCalls()
  #parts = noCalls()
  #records = 0
  #used = 0
  #day = today()

  constructor(max: number) {
    this.#max = max
  }

  get usage(): Usage {
    this.#resetUsedOnNewDay()
    return {
      calls: { ...this.#calls },
      parts: { ...this.#parts },
      records: this.#records,
      used: this.#used,
      max: this.#max,
    }
  }

  get header(): string {
    const { used, max } = this.usage
    return `api-usage=${used}/${max}`
  }

  count(kind: Kind): void {
    this.#calls[kind] += 1
  }

  countPart(kind: Kind): void {
    this.#parts[kind] += 1
  }

  countRecords(count: number): void {
    this.#records += count
  }

  /** Uses up one call of the day. Returns false if none is left. */
  spend(): boolean {
    this.#resetUsedOnNewDay()
    if (this.#used >= this.#max) return false
    this.#used += 1
    return true
  }

  /** Sets the number of calls made today. */
  setUsed(used: number): void {
    this.#used = used
  }

  reset(): void {
    this.#calls = noCalls()
    this.#parts = noCalls()
    this.#records = 0
    this.#used = 0
  }

  #resetUsedOnNewDay(): void {
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
