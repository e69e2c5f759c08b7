import { list, objectOf, text } from './source.ts'
import type { SourceFile, Xml } from './source.ts'

/** https://developer.salesforce.com/docs/atlas.en-us.api_meta.meta/api_meta/meta_field_types.htm */
const FIELD_TYPES = new Set(
  (
    'AutoNumber Address Checkbox Currency Date DateTime Email EncryptedText ExternalLookup File ' +
    'Hierarchy Html IndirectLookup Location LongTextArea Lookup MasterDetail MetadataRelationship ' +
    'MultiselectPicklist Number Percent Phone Picklist Summary Text TextArea Time Url'
  ).split(' '),
)

/** Standard objects that our objects refer to. */
export const STANDARD_OBJECTS = new Set(['Account', 'Contact', 'User'])

const LABEL_MAX = 40
const TEXT_MAX = 255

/** Finds problems in fields for which an org would refuse the deployment, but which `convert.ts` does not report. */
export function checkFields(files: readonly SourceFile[]): string[] {
  const objects = new Set([...STANDARD_OBJECTS, ...files.filter(isObject).map(({ name }) => name)])
  return files.filter(isField).flatMap((file) => {
    const problems = [...problemsOf(file, objects)]
    return problems.map((problem) => `${file.path}: ${problem}`)
  })
}

export function isObject({ root }: SourceFile): boolean {
  return root === 'CustomObject'
}

export function isField({ root }: SourceFile): boolean {
  return root === 'CustomField'
}

function* problemsOf(file: SourceFile, objects: ReadonlySet<string>): Generator<string> {
  const { body, name } = file
  const type = String(body['type'])
  if (body['fullName'] !== name)
    yield `fullName is ${text(body['fullName'])}, the file name is ${name}`
  if (!FIELD_TYPES.has(type)) yield `unknown field type ${type}`
  if (!objects.has(objectOf(file))) yield `unknown object ${objectOf(file)}`
  const label = text(body['label'])
  if (label === '' || label.length > LABEL_MAX) yield 'the label must have 1 to 40 characters'
  if (type === 'Text') yield* textProblems(body)
  if (type === 'Number') yield* numberProblems(body)
  if (type === 'Picklist' || type === 'MultiselectPicklist') yield* picklistProblems(body)
  if (type === 'Lookup' || type === 'MasterDetail') yield* referenceProblems(body, type, objects)
}

function* textProblems(body: Xml): Generator<string> {
  const length = Number(body['length'])
  if (!(length >= 1 && length <= TEXT_MAX)) yield 'a text field needs a length of 1 to 255'
}

function* numberProblems(body: Xml): Generator<string> {
  const [precision, scale] = [Number(body['precision']), Number(body['scale'])]
  if (!(precision >= 1 && precision <= 18 && scale >= 0 && scale <= precision)) {
    yield 'a number field needs a precision of 1 to 18 and a scale up to the precision'
  }
}

function* picklistProblems(body: Xml): Generator<string> {
  const { valueSetDefinition, valueSetName } = (body['valueSet'] ?? {}) as Xml
  if (valueSetName !== undefined) return
  const values = list((valueSetDefinition as Xml | undefined)?.['value'])
  if (values.length === 0) yield 'a picklist needs values'
  const names = values.map(({ fullName }) => String(fullName))
  if (new Set(names).size < names.length) yield 'a picklist has a duplicate value'
  if (values.some((value) => !value['fullName'] || !value['label'])) {
    yield 'each value of a picklist needs a fullName and a label'
  }
}

function* referenceProblems(
  body: Xml,
  type: string,
  objects: ReadonlySet<string>,
): Generator<string> {
  if (!objects.has(String(body['referenceTo']))) {
    yield `it refers to ${text(body['referenceTo'])}, which does not exist`
  }
  if (type === 'MasterDetail' && body['required'] !== undefined) {
    yield 'a master-detail field must not have `required`'
  }
}
