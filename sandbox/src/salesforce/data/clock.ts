export type Resolution = 'milliseconds' | 'seconds'

/**
 * The time of changes. In milliseconds no two changes share a time, which makes tests exact; in seconds
 * many do, as in an org, which shows whether a reader copes with ties.
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

  /** Whatever comes next is later than this. */
  passed(time: number): void {
    this.#last = Math.max(this.#last, time)
  }
}
