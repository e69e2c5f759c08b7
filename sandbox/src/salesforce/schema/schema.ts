export type FieldType =
  | 'id'
  | 'string'
  | 'textarea'
  | 'email'
  | 'phone'
  | 'picklist'
  | 'multipicklist'
  | 'boolean'
  | 'double'
  | 'date'
  | 'datetime'
  | 'time'
  | 'reference'

interface PicklistValue {
  value: string
  label: string
  isDefault: boolean
}

export interface Field {
  name: string
  label: string
  type: FieldType
  length?: number
  precision?: number
  scale?: number
  picklist?: PicklistValue[]
  /** Other values than those of the picklist may be written too. */
  openPicklist?: boolean
  required?: boolean
  unique?: boolean
  externalId?: boolean
  /** Set by Salesforce only. */
  readOnly?: boolean
  references?: string
  /** The name of the reference in a query: `Case_Manager__r`. */
  relationship?: string
  /** The row is deleted with its parent. */
  masterDetail?: boolean
}

export interface ObjectSchema {
  name: string
  label: string
  keyPrefix: string
  fields: Field[]
  /** `Name` consists of the first and the last name. */
  person?: boolean
  /** `APT-{0000000}`: `Name` is a counter in this format. */
  nameFormat?: string
  /** Configuration, which the API cannot write. */
  readOnly?: boolean
}

const SYSTEM_FIELDS: Field[] = [
  { name: 'Id', label: 'Record ID', type: 'id', length: 18, readOnly: true },
  { name: 'CreatedDate', label: 'Created Date', type: 'datetime', readOnly: true },
  { name: 'LastModifiedDate', label: 'Last Modified Date', type: 'datetime', readOnly: true },
  { name: 'SystemModstamp', label: 'System Modstamp', type: 'datetime', readOnly: true },
]

const IS_DELETED: Field = {
  name: 'IsDeleted',
  label: 'Deleted',
  type: 'boolean',
  readOnly: true,
}

/** Users can only be deactivated, so they have no `IsDeleted`; configuration has none either. */
export function withSystemFields(object: ObjectSchema): ObjectSchema {
  const deletable = object.name !== 'User' && object.readOnly !== true
  const system = deletable ? [...SYSTEM_FIELDS, IS_DELETED] : SYSTEM_FIELDS
  return { ...object, fields: [...system, ...object.fields] }
}

/** Objects and fields by name, ignoring case as Salesforce does. */
export class Schema {
  readonly objects: readonly ObjectSchema[]
  readonly #byName = new Map<string, ObjectSchema>()
  /** What the portal's user may not see: `Contact.Email`, `Claim__c`. */
  #hidden = new Set<string>()
  readonly #fields = new Map<ObjectSchema, Map<string, Field>>()

  constructor(objects: readonly ObjectSchema[]) {
    this.objects = objects
    for (const object of objects) {
      this.#byName.set(object.name.toLowerCase(), object)
      this.#fields.set(
        object,
        new Map(object.fields.map((field) => [field.name.toLowerCase(), field])),
      )
    }
  }

  hide(names: readonly string[]): void {
    this.#hidden = new Set(names.map((name) => name.toLowerCase()))
  }

  isHidden(object: ObjectSchema, field: Field): boolean {
    return this.#hidden.has(`${object.name}.${field.name}`.toLowerCase())
  }

  object(name: string): ObjectSchema | undefined {
    return this.#hidden.has(name.toLowerCase()) ? undefined : this.#byName.get(name.toLowerCase())
  }

  ofId(id: string): ObjectSchema | undefined {
    return this.objects.find(({ keyPrefix }) => id.startsWith(keyPrefix))
  }

  field(object: ObjectSchema, name: string): Field | undefined {
    const found = this.#fields.get(object)?.get(name.toLowerCase())
    return found !== undefined && this.isHidden(object, found) ? undefined : found
  }

  relationship(object: ObjectSchema, name: string): Field | undefined {
    return object.fields.find((field) => field.relationship?.toLowerCase() === name.toLowerCase())
  }

  /** The fields that refer to rows of `object`, and that the API can write. */
  referencesTo(object: ObjectSchema): { object: ObjectSchema; field: Field }[] {
    return this.objects.flatMap((child) =>
      child.fields
        .filter((field) => field.references === object.name && field.readOnly !== true)
        .map((field) => ({ object: child, field })),
    )
  }

  /** The objects whose rows are deleted together with their parent row, a row of `object`. */
  detailsOf(object: ObjectSchema): { object: ObjectSchema; field: Field }[] {
    return this.referencesTo(object).filter(({ field }) => field.masterDetail === true)
  }
}
