import * as fc from 'fast-check'
import { defOf, fieldsOf, HOSTILE_TEXTS } from '../../../contract/test/received.ts'
import type { Field, Schema } from '../../../contract/test/received.ts'
import { NEW_PASSWORD } from '../../support/reset-link.ts'

/** Valid values by field name; each email is new, so that no rate limit of an account applies. */
const VALID: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc.uuid().map((id) => `${id}@example.com`),
  password: fc.constant(NEW_PASSWORD),
  newPassword: fc.constant(NEW_PASSWORD),
  confirmPassword: fc.constant(NEW_PASSWORD),
  currentPassword: fc.constant('Wrong-Lantern-42!'),
  firstName: fc.constantFrom('Maria', 'José', "D'Angelo"),
  lastName: fc.constantFrom('Delgado', 'Nguyễn', 'de la Cruz'),
  phone: fc.constant('6195550177'),
  code: fc.constant('123456'),
  token: fc.constant('not-a-token-of-anyone'),
  zip: fc.constant('92101'),
  dateOfBirth: fc.constant('1968-03-27'),
  id: fc.uuid(),
}

const hostileText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .tuple(fc.constantFrom(...HOSTILE_TEXTS), fc.nat(maxLength))
      .map(([text, length]) => text.slice(0, length)),
  )
/** `text` is for forms, queries and paths. It is shorter, because Node refuses a long URL before the schema sees it. */
const hostile = { json: hostileText(4_096), text: hostileText(300) }

const anyValue = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })

function validValue({ path, schema }: Field): fc.Arbitrary<unknown> {
  const def = defOf(schema)
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries))
  if (def.type === 'literal') return fc.constantFrom(...def.values)
  if (def.type === 'boolean') return fc.boolean()
  if (def.type === 'number') return fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer())
  return VALID[path.at(-1) ?? ''] ?? fc.constantFrom('Other', 'San Diego', '1200345')
}

function setAtPath(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) target[key] = value
  else setAtPath((target[key] ??= {}) as Record<string, unknown>, rest, value)
}

/** Below the limit of a JSON body (64 kB), with space for the other fields. */
const LONG_TEXT_BYTES = { min: 32_000, max: 60_000 }

/** Cut to this size in JSON, in which a character can have up to six bytes. */
function cutToBytes(text: string, bytes: number): string {
  const bytesPerCharacter = Buffer.byteLength(JSON.stringify(text)) / text.length
  return text.slice(0, Math.floor(bytes / bytesPerCharacter))
}

const longText = fc
  .tuple(fc.constantFrom(...HOSTILE_TEXTS), fc.integer(LONG_TEXT_BYTES))
  .map(([text, bytes]) => cutToBytes(text, bytes))

const ABSENT = Symbol('absent')
const MAX_WRONG_FIELDS = 3

function nearlyValidObjects(schema: Schema, values: 'json' | 'text'): fc.Arbitrary<object> {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return fc.constant({})
  const wrongValue = fc.oneof(
    { weight: 2, arbitrary: hostile[values] },
    { weight: 1, arbitrary: values === 'json' ? anyValue : hostile.text },
    { weight: 1, arbitrary: fc.constant(ABSENT) },
  )
  const wrongFields = fc.array(fc.tuple(fc.nat(fields.length - 1), wrongValue), {
    maxLength: MAX_WRONG_FIELDS,
  })
  return changedObjects(fields, wrongFields)
}

/** Valid objects with some values replaced by others. */
function changedObjects(
  fields: readonly Field[],
  wrongFields: fc.Arbitrary<[number, unknown][]>,
): fc.Arbitrary<object> {
  return fc.tuple(fc.tuple(...fields.map(validValue)), wrongFields).map(([valid, changes]) => {
    const chosen = [...valid]
    for (const [n, value] of changes) chosen[n] = value
    const object: Record<string, unknown> = {}
    for (const [n, { path }] of fields.entries()) {
      if (chosen[n] !== ABSENT) setAtPath(object, path, chosen[n])
    }
    return object
  })
}

/** Bodies with one text that is nearly as long as a body can be. */
export function longBodiesFor(schema: Schema): fc.Arbitrary<object> {
  const fields = fieldsOf(schema)
  const oneField = fc.tuple(fc.nat(fields.length - 1), longText)
  return changedObjects(
    fields,
    oneField.map((field) => [field]),
  )
}

/**
 * Valid and nearly valid objects. `json` is for bodies: fields of any JSON type, and sometimes unrelated JSON. `text` is
 * for forms, queries and paths: text fields only.
 */
export function inputsFor(schema: Schema, values: 'json' | 'text'): fc.Arbitrary<unknown> {
  const generated = nearlyValidObjects(schema, values)
  return values === 'text'
    ? generated
    : fc.oneof({ weight: 9, arbitrary: generated }, { weight: 1, arbitrary: anyValue })
}
