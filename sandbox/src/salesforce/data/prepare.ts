import { noSuchColumn, Problem, problem } from '../problem.ts'
import type { WireError } from '../problem.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Org } from './org.ts'
import type { Row, Value } from './row.ts'
import { take } from './values.ts'

export type Input = Record<string, unknown>

/** The values a row will have after this write; every error of the first kind met is told at once. */
export function prepare(
  org: Org,
  object: ObjectSchema,
  input: Input,
  existing: Row | undefined,
): Record<string, Value> {
  const values = { ...(existing?.values ?? defaultsOf(object)) }
  const errors: WireError[] = []
  for (const [name, raw] of Object.entries(input)) {
    if (name === 'attributes') continue
    const { field, given } = target(org, object, name, raw)
    if (field.readOnly === true || (object.readOnly === true && existing !== undefined)) {
      throw unwritable(field)
    }
    const taken = take(field, given)
    if ('error' in taken) errors.push(taken.error)
    else values[field.name] = taken.value
  }
  if (errors.length > 0) throw new Problem(400, errors)
  checkRequired(object, values)
  checkReferences(org, object, values, existing)
  checkUnique(org, object, values, existing)
  if (object.person === true) {
    values['Name'] = [values['FirstName'], values['LastName']].filter(Boolean).join(' ')
  }
  return values
}

function target(org: Org, object: ObjectSchema, name: string, raw: unknown) {
  const parent = org.schema.relationship(object, name)
  if (parent !== undefined && typeof raw === 'object' && raw !== null) {
    return { field: parent, given: parentByKey(org, parent, raw as Input) }
  }
  const field = org.schema.field(object, name)
  if (field === undefined) throw noSuchColumn(name, object.name)
  return { field, given: raw }
}

/** `Veteran__r: { Portal_User_Id__c: '…' }` names the parent by its external id. */
function parentByKey(org: Org, reference: Field, input: Input): string {
  const parent = org.schema.object(reference.references!)!
  const keys = Object.entries(input).filter(([name]) => name !== 'attributes')
  const [name, value] = keys[0] ?? ['', undefined]
  const key = org.schema.field(parent, name)
  if (keys.length !== 1 || key?.externalId !== true) throw noSuchColumn(name, parent.name)
  const row = org.byKey(parent, key, String(value))
  if (row !== undefined) return row.id
  throw problem(
    400,
    'INVALID_FIELD',
    `Foreign key external ID: ${String(value)} not found for field ${key.name} in entity ${parent.name}`,
  )
}

/** What a new row has before anybody says anything. */
export function defaultsOf(object: ObjectSchema): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const field of object.fields) {
    if (field.type === 'boolean' && field.readOnly !== true) values[field.name] = false
    const preset = field.picklist?.find(({ isDefault }) => isDefault)
    if (preset !== undefined) values[field.name] = preset.value
  }
  return values
}

function unwritable(field: Field): Problem {
  return problem(
    400,
    'INVALID_FIELD_FOR_INSERT_UPDATE',
    `Unable to create/update fields: ${field.name}. Please check the security settings of this field and verify that it is read/write for your profile or permission set.`,
    [field.name],
  )
}

function checkRequired(object: ObjectSchema, values: Record<string, Value>): void {
  const missing = object.fields
    .filter(({ name, required }) => required === true && (values[name] ?? null) === null)
    .map(({ name }) => name)
  if (missing.length === 0) return
  const message = `Required fields are missing: [${missing.join(', ')}]`
  throw problem(400, 'REQUIRED_FIELD_MISSING', message, missing)
}

function checkReferences(
  org: Org,
  object: ObjectSchema,
  values: Record<string, Value>,
  existing: Row | undefined,
): void {
  for (const field of object.fields) {
    const id = values[field.name] ?? null
    if (field.type !== 'reference' || id === null || id === existing?.values[field.name]) continue
    const parent = org.table(field.references!)?.get(String(id))
    if (parent !== undefined && !parent.deleted) continue
    const message = `invalid cross reference id: ${String(id)}`
    throw problem(400, 'INVALID_CROSS_REFERENCE_KEY', message, [field.name])
  }
}

function checkUnique(
  org: Org,
  object: ObjectSchema,
  values: Record<string, Value>,
  existing: Row | undefined,
): void {
  for (const field of object.fields) {
    const value = values[field.name] ?? null
    if (field.unique !== true || value === null) continue
    const other = org.byKey(object, field, String(value))
    if (other === undefined || other === existing) continue
    const message = `duplicate value found: ${field.name} duplicates value on record with id: ${other.id}`
    throw problem(400, 'DUPLICATE_VALUE', message, [field.name])
  }
}
