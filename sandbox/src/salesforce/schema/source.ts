import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { textOf } from '../text.ts'
import { Schema, withSystemFields } from './schema.ts'
import type { Field, FieldType, ObjectSchema } from './schema.ts'
import { METADATA_TYPE_FIELDS, STANDARD_OBJECTS } from './standard.ts'

/** The source that is deployed to the CRM: the sandbox refuses fields that are not in it. */
const SOURCE = join(import.meta.dirname, '../../../../salesforce/force-app/main/default')

type Xml = Record<string, unknown>

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  isArray: (name, path) => name === 'value' && String(path).endsWith('valueSetDefinition.value'),
})

const TYPES: Record<string, FieldType> = {
  Text: 'string',
  TextArea: 'textarea',
  LongTextArea: 'textarea',
  Email: 'email',
  Phone: 'phone',
  Picklist: 'picklist',
  MultiselectPicklist: 'multipicklist',
  Checkbox: 'boolean',
  Number: 'double',
  Currency: 'double',
  Date: 'date',
  DateTime: 'datetime',
  Time: 'time',
  Lookup: 'reference',
  MasterDetail: 'reference',
}

const LENGTHS: Partial<Record<FieldType, number>> = {
  phone: 40,
  email: 80,
  picklist: 255,
  multipicklist: 4099,
}

export interface MetadataRecord {
  object: string
  name: string
  label: string
  values: Record<string, string>
}

export function loadSchema(source = SOURCE): Schema {
  const folders = readdirSync(join(source, 'objects')).toSorted()
  const names = [...new Set([...STANDARD_OBJECTS.map(({ name }) => name), ...folders])]
  const customs = names.filter((name) => !STANDARD_OBJECTS.some((known) => known.name === name))
  return new Schema(
    names.map((name) => {
      const own = fieldsOf(join(source, 'objects', name, 'fields'))
      const standard = STANDARD_OBJECTS.find((known) => known.name === name)
      if (standard !== undefined) {
        return withSystemFields({ ...standard, fields: [...standard.fields, ...own] })
      }
      return withSystemFields(customObject(source, name, own, customs.indexOf(name)))
    }),
  )
}

function customObject(source: string, name: string, own: Field[], number: number): ObjectSchema {
  const file = join(source, 'objects', name, `${name}.object-meta.xml`)
  const body = read(file, 'CustomObject')
  const label = textOf(body['label'])
  // Salesforce numbers objects when they are created. Here they are numbered by name, so that ids stay the same.
  const counted = number.toString(36).padStart(2, '0')
  if (name.endsWith('__mdt')) {
    const fields = [...METADATA_TYPE_FIELDS, ...own]
    return { name, label, keyPrefix: `m${counted}`, fields, readOnly: true }
  }
  const { displayFormat, label: nameLabel = 'Name' } = (body['nameField'] ?? {}) as Xml
  const nameField: Field = { name: 'Name', label: String(nameLabel), type: 'string', length: 80 }
  const object: ObjectSchema = {
    name,
    label,
    keyPrefix: `a${counted}`,
    fields: [nameField, ...own],
  }
  if (displayFormat === undefined) return object
  nameField.readOnly = true
  return { ...object, nameFormat: textOf(displayFormat) }
}

function fieldsOf(folder: string): Field[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .map((file) => fieldOf(read(join(folder, file), 'CustomField')))
}

function fieldOf(body: Xml): Field {
  const name = String(body['fullName'])
  const type = TYPES[String(body['type'])]
  if (type === undefined)
    throw new Error(`${name}: the sandbox has no type ${textOf(body['type'])}`)
  const field: Field = { name, label: textOf(body['label']), type }
  const length = Number(body['length'] ?? LENGTHS[type] ?? 0)
  if (length > 0) field.length = length
  if (body['precision'] !== undefined) field.precision = Number(body['precision'])
  if (body['scale'] !== undefined) field.scale = Number(body['scale'])
  field.masterDetail = body['type'] === 'MasterDetail'
  field.required = body['required'] === 'true' || field.masterDetail
  field.unique = body['unique'] === 'true'
  field.externalId = body['externalId'] === 'true'
  if (type === 'reference') {
    field.references = String(body['referenceTo'])
    field.relationship = name.replace(/__c$/, '__r')
  }
  if (type === 'picklist' || type === 'multipicklist') {
    field.picklist = picklistOf(body)
    field.openPicklist = (body['valueSet'] as Xml | undefined)?.['restricted'] === 'false'
  }
  return field
}

function picklistOf(body: Xml) {
  const { valueSetDefinition } = (body['valueSet'] ?? {}) as { valueSetDefinition?: Xml }
  const values = (valueSetDefinition?.['value'] ?? []) as Xml[]
  return values.map((value) => ({
    value: String(value['fullName']),
    label: String(value['label']),
    isDefault: value['default'] === 'true',
  }))
}

/** Records of custom metadata types are part of the source: `Type.Record.md-meta.xml`. */
export function loadMetadataRecords(source = SOURCE): MetadataRecord[] {
  const folder = join(source, 'customMetadata')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const [type = '', name = ''] = file.split('.')
      const body = read(join(folder, file), 'CustomMetadata')
      const values = [body['values'] ?? []].flat() as { field: string; value: string }[]
      return {
        object: `${type}__mdt`,
        name,
        label: String(body['label']),
        values: Object.fromEntries(values.map(({ field, value }) => [field, value])),
      }
    })
}

function read(file: string, root: string): Xml {
  const body = (parser.parse(readFileSync(file, 'utf8')) as Xml)[root]
  if (typeof body !== 'object') throw new Error(`${file} contains no ${root}`)
  return body as Xml
}
