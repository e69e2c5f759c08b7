import type { Row } from './row.ts'

interface Entry {
  time: number
  row: Row
}

const TOLERATED_STALE = 10_000

/**
 * Rows by (SystemModstamp, Id). A change appends an entry; the old entry becomes stale and is skipped.
 * Many stale entries are removed when they are more than half of the index.
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
      // A rollback restored the old time, so the old entry is valid again.
      if (this.#entries[at]?.row === row && this.#entries[at].time === entry.time) return
      this.#entries.splice(at, 0, entry)
    }
    if (this.#stale > TOLERATED_STALE && this.#stale > this.#entries.length / 2) this.#removeStale()
  }

  /** Adds many rows in any order; the next read sorts them. */
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

  /** The index of the first entry that is not before (time, id). */
  #position(time: number, id: string): number {
    if (!this.#sorted) {
      this.#entries.sort((a, b) => (before(a, b) ? -1 : 1))
      this.#sorted = true
    }
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = this.#entries[middle]!
      if (entry.time < time || (entry.time === time && entry.row.id < id)) low = middle + 1
      else high = middle
    }
    return low
  }

  #removeStale(): void {
    this.#entries = this.#entries.filter(({ time, row }) => row.stamp === time)
    this.#stale = 0
  }
}

function before(one: Entry, other: Entry): boolean {
  return one.time < other.time || (one.time === other.time && one.row.id < other.row.id)
}
