import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Row, Value } from './row.ts'
import { TimeIndex } from './time-index.ts'

/** The rows of one object, indexed by id, by key and by time. */
export class Table {
  readonly object: ObjectSchema
  readonly #rows = new Map<string, Row>()
  readonly #keys = new Map<string, KeyIndex>()
  readonly #times = new TimeIndex()

  constructor(object: ObjectSchema) {
    this.object = object
    for (const field of object.fields.filter(isIndexed)) {
      this.#keys.set(field.name, new KeyIndex(field.type !== 'reference'))
    }
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id)
  }

  all(): Iterable<Row> {
    return this.#rows.values()
  }

  since(time: number): Iterable<Row> {
    return this.#times.from(time)
  }

  /** Rows with this value, including deleted ones; undefined if the field is not indexed. */
  find(field: string, value: Value): Row[] | undefined {
    return this.#keys.get(field)?.get(value)
  }

  add(row: Row): void {
    this.#rows.set(row.id, row)
    for (const [field, index] of this.#keys) index.add(row.values[field], row)
    this.#times.add(row, false)
  }

  addMany(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#rows.set(row.id, row)
      for (const [field, index] of this.#keys) index.add(row.values[field], row)
    }
    this.#times.addMany(rows)
  }

  change(row: Row, { values, stamp, deleted }: Pick<Row, 'values' | 'stamp' | 'deleted'>): void {
    for (const [field, index] of this.#keys) {
      if (row.values[field] === values[field]) continue
      index.remove(row.values[field], row)
      index.add(values[field], row)
    }
    const moved = row.stamp !== stamp
    row.values = values
    row.stamp = stamp
    row.deleted = deleted
    if (moved) this.#times.add(row, true)
  }

  /** Removes a row without a trace, such as one that a rolled-back transaction created. */
  remove(row: Row): void {
    this.#rows.delete(row.id)
    for (const [field, index] of this.#keys) index.remove(row.values[field], row)
    // Its entry in the time index becomes stale.
    row.stamp = Number.NaN
  }
}

// An email is not a key, but Salesforce indexes it as well.
function isIndexed(field: Field): boolean {
  return field.externalId === true || field.type === 'reference' || field.type === 'email'
}

class KeyIndex {
  readonly #rows = new Map<string, Row | Set<Row>>()
  readonly #foldsCase: boolean

  constructor(foldsCase: boolean) {
    this.#foldsCase = foldsCase
  }

  get(value: Value): Row[] {
    const found = this.#rows.get(this.#key(value))
    if (found === undefined) return []
    return found instanceof Set ? [...found] : [found]
  }

  add(value: Value | undefined, row: Row): void {
    if (value === undefined || value === null) return
    const key = this.#key(value)
    const existing = this.#rows.get(key)
    // Nearly every key has one row: a set for each would double the memory.
    if (existing === undefined) this.#rows.set(key, row)
    else if (existing instanceof Set) existing.add(row)
    else this.#rows.set(key, new Set([existing, row]))
  }

  remove(value: Value | undefined, row: Row): void {
    if (value === undefined || value === null) return
    const key = this.#key(value)
    const existing = this.#rows.get(key)
    if (existing === row) this.#rows.delete(key)
    else if (existing instanceof Set) existing.delete(row)
  }

  #key(value: Value): string {
    return this.#foldsCase ? String(value).toLowerCase() : String(value)
  }
}
