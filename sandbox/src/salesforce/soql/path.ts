import type { Org } from '../data/org.ts'
import { valueOf } from '../data/row.ts'
import type { Row, Value } from '../data/row.ts'
import { noSuchColumn, apiError } from '../errors.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'

/** `Case_Manager__r.Name`: the references to follow, then the field. */
export interface Path {
  steps: Field[]
  field: Field
}

export function resolve(org: Org, object: ObjectSchema, name: string): Path {
  const parts = name.split('.')
  // `Contact.Name` in a query of contacts is the contact's own name.
  if (parts.length > 1 && parts[0]!.toLowerCase() === object.name.toLowerCase()) parts.shift()
  const steps: Field[] = []
  let current = object
  for (const part of parts.slice(0, -1)) {
    const step = org.schema.relationship(current, part)
    if (step === undefined) throw noSuchRelationship(part, current.name)
    steps.push(step)
    current = org.schema.object(step.references!)!
  }
  const field = org.schema.field(current, parts.at(-1)!)
  if (field === undefined) throw noSuchColumn(parts.at(-1)!, current.name)
  return { steps, field }
}

function noSuchRelationship(name: string, object: string) {
  const message = `Didn't understand relationship '${name}' in field path of ${object}. If you are attempting to use a custom relationship, be sure to append the '__r' after the custom relationship name.`
  return apiError(400, 'INVALID_FIELD', message)
}

export function follow(org: Org, row: Row, steps: readonly Field[]): Row | undefined {
  let current: Row | undefined = row
  for (const step of steps) {
    if (current === undefined) return undefined
    const id: Value = valueOf(current, step.name)
    current = id === null ? undefined : org.table(step.references!)?.get(String(id))
  }
  return current
}

export function readerOf(org: Org, { steps, field }: Path): (row: Row) => Value {
  const { name } = field
  if (steps.length === 0) return (row) => valueOf(row, name)
  return (row) => {
    const end = follow(org, row, steps)
    return end === undefined ? null : valueOf(end, name)
  }
}
