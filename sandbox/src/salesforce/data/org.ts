import { EventEmitter } from 'node:events'
import { noSuchColumn, apiError } from '../errors.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { textOf } from '../text.ts'
import { Clock } from './clock.ts'
import type { Resolution } from './clock.ts'
import { fullId, makeId } from './ids.ts'
import type { Row } from './row.ts'
import { Table } from './table.ts'
import { defaultsOf, validate } from './validate.ts'
import type { Input } from './validate.ts'
import { checkValue } from './values.ts'

/** All rows of the org. Every change goes through it. */
export class Org {
  readonly schema: Schema
  readonly changes = new EventEmitter().setMaxListeners(0)
  readonly #resolution: Resolution
  #clock: Clock
  #tables = new Map<string, Table>()
  #lastNumber = 0
  /** Reverts the changes of the running transaction, newest last. */
  #undo: (() => void)[] | undefined

  constructor(schema: Schema, resolution: Resolution) {
    this.schema = schema
    this.#resolution = resolution
    this.#clock = new Clock(resolution)
    this.clear()
  }

  clear(): void {
    this.#tables = new Map(this.schema.objects.map((object) => [object.name, new Table(object)]))
    this.#clock = new Clock(this.#resolution)
  }

  table(object: string): Table | undefined {
    return this.#tables.get(object)
  }

  /** The row with this value of a key, unless it is deleted. */
  byKey(object: ObjectSchema, field: Field, value: string): Row | undefined {
    return this.#tables
      .get(object.name)!
      .find(field.name, value)
      ?.find(({ deleted }) => !deleted)
  }

  get(object: ObjectSchema, id: string): Row {
    const row = this.#tables.get(object.name)!.get(fullId(id) ?? id)
    if (row !== undefined && !row.deleted) return row
    if (row === undefined) {
      throw apiError(
        404,
        'NOT_FOUND',
        'Provided external ID field does not exist or is not accessible: ' + id,
      )
    }
    throw apiError(404, 'ENTITY_IS_DELETED', 'entity is deleted')
  }

  create(object: ObjectSchema, input: Input): Row {
    const values = validate(this, object, input, undefined)
    const number = (this.#lastNumber += 1)
    if (object.nameFormat !== undefined) {
      values['Name'] = object.nameFormat.replace(/\{(0+)\}/, (_, zeros: string) =>
        String(number).padStart(zeros.length, '0'),
      )
    }
    const stamp = this.#clock.next()
    const row = {
      id: makeId(object.keyPrefix, number),
      values,
      stamp,
      created: stamp,
      deleted: false,
    }
    values['Name'] ??= row.id
    const table = this.#tables.get(object.name)!
    table.add(row)
    this.#undo?.push(() => table.remove(row))
    this.changes.emit('change')
    return row
  }

  update(object: ObjectSchema, id: string, input: Input): Row {
    const row = this.get(object, id)
    this.#change(object, row, validate(this, object, input, row), false)
    return row
  }

  upsert(object: ObjectSchema, key: Field, value: string, input: Input) {
    if (key.externalId !== true) {
      throw apiError(
        404,
        'NOT_FOUND',
        'Provided external ID field does not exist or is not accessible: ' + key.name,
      )
    }
    const existing = this.byKey(object, key, value)
    if (existing === undefined) {
      return { row: this.create(object, { ...input, [key.name]: value }), created: true }
    }
    return { row: this.update(object, existing.id, input), created: false }
  }

  /** Marks the row and its details as deleted. */
  remove(object: ObjectSchema, id: string): void {
    const row = this.get(object, id)
    for (const { object: detail, field } of this.schema.detailsOf(object)) {
      const details = this.#tables.get(detail.name)!.find(field.name, row.id) ?? []
      for (const child of details) if (!child.deleted) this.remove(detail, child.id)
    }
    this.#change(object, row, row.values, true)
  }

  /**
   * Merges one row into another: what belonged to the loser belongs to the survivor. The loser is deleted, and
   * its `MasterRecordId` refers to the survivor, which keeps its own values.
   */
  merge(object: ObjectSchema, survivorId: string, loserId: string): Row {
    const survivor = this.get(object, survivorId)
    const loser = this.get(object, loserId)
    if (survivor === loser) {
      throw apiError(400, 'INVALID_OPERATION', 'cannot merge a record with itself')
    }
    for (const { object: child, field } of this.schema.referencesTo(object)) {
      for (const row of this.#tables.get(child.name)!.find(field.name, loser.id) ?? []) {
        if (row.deleted) continue
        this.#change(child, row, { ...row.values, [field.name]: survivor.id }, false)
      }
    }
    this.#change(object, loser, { ...loser.values, MasterRecordId: survivor.id }, true)
    this.#change(object, survivor, survivor.values, false)
    return survivor
  }

  #change(object: ObjectSchema, row: Row, values: Row['values'], deleted: boolean): void {
    const table = this.#tables.get(object.name)!
    const oldRow = { values: row.values, stamp: row.stamp, deleted: row.deleted }
    table.change(row, { values, stamp: this.#clock.next(), deleted })
    this.#undo?.push(() => table.change(row, oldRow))
    this.changes.emit('change')
  }

  /** Reverts all changes of `work` if it throws; a nested call reverts only its own changes. */
  atomically<Result>(work: () => Result): Result {
    const outermost = this.#undo === undefined
    const undo = (this.#undo ??= [])
    const mark = undo.length
    try {
      return work()
    } catch (error) {
      while (undo.length > mark) undo.pop()!()
      throw error
    } finally {
      if (outermost) this.#undo = undefined
    }
  }

  /**
   * Adds rows for a test, even a million: values are checked as in a write, keys and references are
   * not. A row may have its own `Id`, `SystemModstamp`, `CreatedDate` and `IsDeleted`.
   */
  load(objectName: string, inputs: Iterable<Input>): string[] {
    const object = this.schema.object(objectName)
    if (object === undefined) throw new Error(`There is no object ${objectName}`)
    const rows: Row[] = []
    const defaults = defaultsOf(object)
    for (const input of inputs) rows.push(this.#loadedRow(object, input, defaults))
    this.#tables.get(object.name)!.addMany(rows)
    this.changes.emit('change')
    return rows.map(({ id }) => id)
  }

  purge(objectName: string, ids: readonly string[]): void {
    const table = this.table(objectName)
    for (const id of ids) {
      const row = table?.get(id)
      if (row !== undefined) table?.remove(row)
    }
  }

  /** All rows, to write them to a file. */
  snapshot() {
    return {
      lastNumber: this.#lastNumber,
      tables: [...this.#tables].map(([name, table]) => ({ name, rows: [...table.all()] })),
    }
  }

  restore({ lastNumber, tables }: ReturnType<Org['snapshot']>): void {
    this.clear()
    this.#lastNumber = lastNumber
    for (const { name, rows } of tables) {
      // The rows of an object that was removed from the source are dropped.
      this.#tables.get(name)?.addMany(rows)
      for (const { stamp } of rows) this.#clock.advanceTo(stamp)
    }
  }

  #loadedRow(object: ObjectSchema, input: Input, defaults: Row['values']): Row {
    const { Id, SystemModstamp, CreatedDate, IsDeleted, ...rest } = input
    const number = (this.#lastNumber += 1)
    const stamp = timeOf(SystemModstamp) ?? this.#clock.next()
    this.#clock.advanceTo(stamp)
    const values = { ...defaults }
    for (const [name, raw] of Object.entries(rest)) {
      const field = this.schema.field(object, name)
      if (field === undefined) throw noSuchColumn(name, object.name)
      const checked = checkValue(field, raw)
      if ('error' in checked) throw apiError(400, checked.error.errorCode, checked.error.message)
      values[field.name] = checked.value
    }
    if (object.person === true) {
      values['Name'] = [values['FirstName'], values['LastName']].filter(Boolean).join(' ')
    }
    return {
      id: typeof Id === 'string' ? Id : makeId(object.keyPrefix, number),
      values,
      stamp,
      created: timeOf(CreatedDate) ?? stamp,
      deleted: IsDeleted === true,
    }
  }
}

function timeOf(raw: unknown): number | undefined {
  if (raw === undefined) return undefined
  return typeof raw === 'number' ? raw : Date.parse(textOf(raw))
}
