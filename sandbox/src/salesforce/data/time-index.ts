import type { Row } from './row.ts'

interface Entry {
  time: number
  row: Row
}

const KEPT_STALE = 10_000

/**
 * Rows by (SystemModstamp, Id). A change appends; the entry it replaces goes stale and is passed over,
 * and is swept out only once stale ones are the greater part.
 */
export class TimeIndex {
  #entries: Entry[] = []
  #stale = 0
  #sorted = true

  add(row: Row, replaced: boolean): void {
    const entry = { time: row.stamp, row }
    if (replaced) this.#stale += 1
    const last = this.#entries.at(-1)
    if (last === undefined || before(last, entry)) {
      this.#entries.push(entry)
    } else {
      const at = this.#position(entry.time, row.id)
      if (this.#entries[at]?.row === row && this.#entries[at].time === entry.time) return
      this.#entries.splice(at, 0, entry)
    }
    if (this.#stale > KEPT_STALE && this.#stale > this.#entries.length / 2) this.#sweep()
  }

  /** Many at once, in any order; sorted when somebody asks. */
  addMany(rows: readonly Row[]): void {
    for (const row of rows) {
      const entry = { time: row.stamp, row }
      const last = this.#entries.at(-1)
      if (last !== undefined && !before(last, entry)) this.#sorted = false
      this.#entries.push(entry)
    }
  }

  *from(time: number): Generator<Row> {
    for (let at = this.#position(time, ''); at < this.#entries.length; at += 1) {
      const entry = this.#entries[at]!
      if (entry.row.stamp === entry.time) yield entry.row
    }
  }

  /** The first place that is not before (time, id). */
  #position(time: number, id: string): number {
    if (!this.#sorted) {
      this.#entries.sort((one, other) => (before(one, other) ? -1 : 1))
      this.#sorted = true
    }
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const { time: there, row } = this.#entries[middle]!
      if (there < time || (there === time && row.id < id)) low = middle + 1
      else high = middle
    }
    return low
  }

  #sweep(): void {
    this.#entries = this.#entries.filter(({ time, row }) => row.stamp === time)
    this.#stale = 0
  }
}

function before(one: Entry, other: Entry): boolean {
  return one.time < other.time || (one.time === other.time && one.row.id < other.row.id)
}
