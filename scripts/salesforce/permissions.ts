import { isField, isObject, STANDARD_OBJECTS } from './fields.ts'
import { list, objectOf, text } from './source.ts'
import type { SourceFile } from './source.ts'

/** Standard fields with field-level security that the portal uses. */
const STANDARD_FIELDS = new Set(
  ['Email', 'MailingAddress', 'MobilePhone', 'Phone', 'Birthdate'].map(
    (field) => `Contact.${field}`,
  ),
)

/** A permission set may name only objects and fields that exist, and no field that is always accessible. */
export function checkPermissions(files: readonly SourceFile[]): string[] {
  const objects = new Set([...STANDARD_OBJECTS, ...files.filter(isObject).map(({ name }) => name)])
  const fields = new Map(
    files.filter(isField).map((file) => [`${objectOf(file)}.${file.name}`, file]),
  )
  return files
    .filter(({ root }) => root === 'PermissionSet')
    .flatMap((file) =>
      [...problemsOf(file, objects, fields)].map((problem) => `${file.path}: ${problem}`),
    )
}

function* problemsOf(
  { body }: SourceFile,
  objects: ReadonlySet<string>,
  fields: ReadonlyMap<string, SourceFile>,
): Generator<string> {
  const granted = new Set(list(body['objectPermissions']).map(({ object }) => String(object)))
  for (const object of granted) {
    if (!objects.has(object)) yield `it names the object ${object}, which does not exist`
  }
  for (const { name } of list(body['customMetadataTypeAccesses'])) {
    if (!objects.has(String(name))) yield `it names the type ${text(name)}, which does not exist`
  }
  const permittedFields = list(body['fieldPermissions']).map(({ field }) => String(field))
  for (const field of permittedFields) yield* fieldProblems(field, granted, fields)
  for (const [field, { body: definition }] of fields) {
    // Without the permission, the portal could not see the field.
    const needed = granted.has(field.split('.')[0]!) && !isAlwaysAccessible(definition)
    if (needed && !permittedFields.includes(field))
      yield `it grants the object but not the field ${field}`
  }
}

function* fieldProblems(
  field: string,
  granted: ReadonlySet<string>,
  fields: ReadonlyMap<string, SourceFile>,
): Generator<string> {
  const definition = fields.get(field)
  if (definition === undefined && !STANDARD_FIELDS.has(field)) {
    yield `it names the field ${field}, which does not exist`
  } else if (definition !== undefined && isAlwaysAccessible(definition.body)) {
    yield `${field} is required, and must not have permissions`
  }
  const [object = ''] = field.split('.')
  if (!granted.has(object)) yield `it grants ${field} but not the object ${object}`
}

function isAlwaysAccessible(body: SourceFile['body']): boolean {
  return body['required'] === 'true' || body['type'] === 'MasterDetail'
}
