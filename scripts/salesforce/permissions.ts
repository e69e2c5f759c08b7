import { isField, isObject, STANDARD_OBJECTS } from './fields.ts'
import { list, objectOf, text } from './source.ts'
import type { SourceFile } from './source.ts'

/** Standard fields that are under field-level security, as far as the portal uses them. */
const STANDARD_FIELDS = new Set(
  ['Email', 'MailingAddress', 'MobilePhone', 'Phone', 'Birthdate'].map(
    (field) => `Contact.${field}`,
  ),
)

/** A permission set may name only what is there, and may not give what every user has anyway. */
export function checkPermissions(files: readonly SourceFile[]): string[] {
  const objects = new Set([...STANDARD_OBJECTS, ...files.filter(isObject).map(({ name }) => name)])
  const fields = new Map(
    files.filter(isField).map((file) => [`${objectOf(file)}.${file.name}`, file]),
  )
  return files
    .filter(({ root }) => root === 'PermissionSet')
    .flatMap((file) => [...problemsOf(file, objects, fields)].map((one) => `${file.path}: ${one}`))
}

function* problemsOf(
  { body }: SourceFile,
  objects: ReadonlySet<string>,
  fields: ReadonlyMap<string, SourceFile>,
): Generator<string> {
  const granted = new Set(list(body['objectPermissions']).map(({ object }) => String(object)))
  for (const object of granted) {
    if (!objects.has(object)) yield `it names the object ${object}, which is not there`
  }
  for (const { name } of list(body['customMetadataTypeAccesses'])) {
    if (!objects.has(String(name))) yield `it names the type ${text(name)}, which is not there`
  }
  const named = list(body['fieldPermissions']).map(({ field }) => String(field))
  for (const field of named) yield* fieldProblems(field, granted, fields)
  for (const [field, { body: definition }] of fields) {
    // A field that nobody may see is a field that the portal reads as unknown.
    const needed = granted.has(field.split('.')[0]!) && !isAlwaysOpen(definition)
    if (needed && !named.includes(field)) yield `it grants the object but not the field ${field}`
  }
}

function* fieldProblems(
  field: string,
  granted: ReadonlySet<string>,
  fields: ReadonlyMap<string, SourceFile>,
): Generator<string> {
  const definition = fields.get(field)
  if (definition === undefined && !STANDARD_FIELDS.has(field)) {
    yield `it names the field ${field}, which is not there`
  } else if (definition !== undefined && isAlwaysOpen(definition.body)) {
    yield `${field} is required, and may not carry permissions`
  }
  const [object = ''] = field.split('.')
  if (!granted.has(object)) yield `it grants ${field} but not the object ${object}`
}

function isAlwaysOpen(body: SourceFile['body']): boolean {
  return body['required'] === 'true' || body['type'] === 'MasterDetail'
}
