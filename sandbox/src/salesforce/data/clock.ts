export type Resolution = 'milliseconds' | 'seconds'

/**
 * The timestamps of changes. In milliseconds each change has its own, which makes tests exact; in
 * seconds many changes share one, as in a real org.
 */
export class Clock {
  readonly #resolution: Resolution
  #last = 0

  constructor(resolution: Resolution) {
    this.#resolution = resolution
  }

  next(): number {
    const now = Date.now()
    this.#last =
      this.#resolution === 'milliseconds'
        ? Math.max(now, this.#last + 1)
        : Math.max(now - (now % 1000), this.#last)
    return this.#last
  }

  /** Later timestamps are not before this time. */
  advanceTo(time: number): void {
    this.#last = Math.max(this.#last, time)
  }
}
