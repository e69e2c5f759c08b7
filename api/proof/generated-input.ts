import * as fc from 'fast-check'
import { defOf, fieldsOf, HOSTILE_TEXTS } from '../../contract/test/received.ts'
import type { Field, Schema } from '../../contract/test/received.ts'
import { NEW_PASSWORD } from './reset-link.ts'

/** Generates what anyone might send in place of a schema's input: right, nearly right, and nothing like it. */

/** Right for a field of that name; an email is new each time, so that no limit of one account is met. */
const RIGHT: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
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
/** Addresses are bounded by Node itself, long before the schema. */
const hostile = { json: hostileText(4_096), text: hostileText(300) }

const anyValue = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })

function rightValue({ path, schema }: Field): fc.Arbitrary<unknown> {
  const def = defOf(schema)
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries))
  if (def.type === 'literal') return fc.constantFrom(...def.values)
  if (def.type === 'boolean') return fc.boolean()
  if (def.type === 'number') return fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer())
  return RIGHT[path.at(-1) ?? ''] ?? fc.constantFrom('Other', 'San Diego', '1200345')
}

const set = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [key = '', ...rest] = path
  if (rest.length === 0) target[key] = value
  else set((target[key] ??= {}) as Record<string, unknown>, rest, value)
}

const ABSENT = Symbol('absent')
const WRONG_MOST = 3

/** An object with the schema's fields, some of them wrong or absent. */
function objects(schema: Schema, values: 'json' | 'text'): fc.Arbitrary<object> {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return fc.constant({})
  const wrong = fc.oneof(
    { weight: 2, arbitrary: hostile[values] },
    { weight: 1, arbitrary: values === 'json' ? anyValue : hostile.text },
    { weight: 1, arbitrary: fc.constant(ABSENT) },
  )
  const wrongs = fc.array(fc.tuple(fc.nat(fields.length - 1), wrong), { maxLength: WRONG_MOST })
  return fc.tuple(fc.tuple(...fields.map(rightValue)), wrongs).map(([right, others]) => {
    const given = [...right]
    for (const [n, value] of others) given[n] = value
    const made: Record<string, unknown> = {}
    for (const [n, { path }] of fields.entries()) {
      if (given[n] !== ABSENT) set(made, path, given[n])
    }
    return made
  })
}

/** For a body: any JSON. For a form, a query or a path: text in every field. */
export function inputsFor(schema: Schema, values: 'json' | 'text'): fc.Arbitrary<unknown> {
  const made = objects(schema, values)
  return values === 'text'
    ? made
    : fc.oneof({ weight: 9, arbitrary: made }, { weight: 1, arbitrary: anyValue })
}
