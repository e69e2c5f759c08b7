import { noSuchColumn, ApiError, apiError } from '../errors.ts'
import type { ErrorEntry } from '../errors.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import type { Row, Value } from './row.ts'
import { resolveStates } from './state-codes.ts'
import type { Table } from './table.ts'
import { checkValue } from './values.ts'

export type Input = Record<string, unknown>

/** The reads of an org that a check needs. */
interface OrgReader {
  schema: Schema
  table(object: string): Table | undefined
  byKey(object: ObjectSchema, field: Field, value: string): Row | undefined
}

/** Returns the values of a row after a write. Reports all invalid values at once, then the other errors. */
export function validate(
  org: OrgReader,
  object: ObjectSchema,
  input: Input,
  existing: Row | undefined,
): Record<string, Value> {
  const values = { ...(existing?.values ?? defaultsOf(object)) }
  const errors: ErrorEntry[] = []
  const written = new Set<string>()
  for (const [name, raw] of Object.entries(input)) {
    if (name === 'attributes') continue
    const { field, value } = target(org, object, name, raw)
    if (field.readOnly === true || (object.readOnly === true && existing !== undefined)) {
      throw unwritable(field)
    }
    const checked = checkValue(field, value)
    if ('error' in checked) errors.push(checked.error)
    else values[field.name] = checked.value
    written.add(field.name)
  }
  if (errors.length > 0) throw new ApiError(400, errors)
  resolveStates(object, written, values)
  checkRequired(object, values)
  checkReferences(org, object, values, existing)
  checkUnique(org, object, values, existing)
  if (object.person === true) {
    values['Name'] = [values['FirstName'], values['LastName']].filter(Boolean).join(' ')
  }
  return values
}

function target(org: OrgReader, object: ObjectSchema, name: string, raw: unknown) {
  const parent = org.schema.relationship(object, name)
  if (parent !== undefined && typeof raw === 'object' && raw !== null) {
    return { field: parent, value: parentByKey(org, parent, raw as Input) }
  }
  const field = org.schema.field(object, name)
  if (field === undefined) throw noSuchColumn(name, object.name)
  return { field, value: raw }
}

/** `Veteran__r: { Portal_User_Id__c: '…' }` names the parent by its external id. */
function parentByKey(org: OrgReader, reference: Field, input: Input): string {
  const parent = org.schema.object(reference.references!)!
  const keys = Object.entries(input).filter(([name]) => name !== 'attributes')
  const [name, value] = keys[0] ?? ['', undefined]
  const key = org.schema.field(parent, name)
  if (keys.length !== 1 || key?.externalId !== true) throw noSuchColumn(name, parent.name)
  const row = org.byKey(parent, key, String(value))
  if (row !== undefined) return row.id
  throw apiError(
    400,
    'INVALID_FIELD',
    `Foreign key external ID: ${String(value)} not found for field ${key.name} in entity ${parent.name}`,
  )
}

/** The values of a new row that a write does not set. */
export function defaultsOf(object: ObjectSchema): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const field of object.fields) {
    if (field.type === 'boolean' && field.readOnly !== true) values[field.name] = false
    const preset = field.picklist?.find(({ isDefault }) => isDefault)
    if (preset !== undefined) values[field.name] = preset.value
  }
  return values
}

function unwritable(field: Field): ApiError {
  return apiError(
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
  throw apiError(400, 'REQUIRED_FIELD_MISSING', message, missing)
}

function checkReferences(
  org: OrgReader,
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
    throw apiError(400, 'INVALID_CROSS_REFERENCE_KEY', message, [field.name])
  }
}

function checkUnique(
  org: OrgReader,
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
    throw apiError(400, 'DUPLICATE_VALUE', message, [field.name])
  }
}
