import type { Org } from '../data/org.ts'
import type { Row, Value } from '../data/row.ts'
import { apiError } from '../errors.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Test, Tree } from './condition.ts'
import { literalFor, patternOf } from './literal.ts'
import { readerOf, resolve } from './path.ts'

type Filter = (row: Row) => boolean

export function filterOf(org: Org, object: ObjectSchema, tree: Tree): Filter {
  switch (tree.kind) {
    case 'and': {
      const parts = tree.parts.map((part) => filterOf(org, object, part))
      return (row) => parts.every((part) => part(row))
    }
    case 'or': {
      const parts = tree.parts.map((part) => filterOf(org, object, part))
      return (row) => parts.some((part) => part(row))
    }
    case 'not': {
      const part = filterOf(org, object, tree.part)
      return (row) => !part(row)
    }
    case 'test':
      return testFilter(org, object, tree)
  }
}

function testFilter(org: Org, object: ObjectSchema, test: Test): Filter {
  const path = resolve(org, object, test.field)
  const read = readerOf(org, path)
  const holds = comparison(path.field, test)
  return (row) => holds(read(row))
}

function comparison(field: Field, { operator, values, literals }: Test): (value: Value) => boolean {
  if (operator === 'LIKE') {
    if (literals[0] !== 'STRING' || !isText(field)) throw badOperator(field)
    const pattern = patternOf(values[0]!)
    return (value) => value !== null && pattern.test(String(value))
  }
  const operands = values.map((raw, at) => folded(field, literalFor(field, raw, literals[at]!)))
  const [first = null] = operands
  const set = new Set(operands)
  switch (operator) {
    case '=':
      return (value) => folded(field, value) === first
    case '!=':
      return (value) => folded(field, value) !== first
    case 'IN':
      return (value) => set.has(folded(field, value))
    case 'NOT IN':
      return (value) => !set.has(folded(field, value))
    case '<':
      return (value) => isInOrder(folded(field, value), first, (sign) => sign < 0)
    case '<=':
      return (value) => isInOrder(folded(field, value), first, (sign) => sign <= 0)
    case '>':
      return (value) => isInOrder(folded(field, value), first, (sign) => sign > 0)
    case '>=':
      return (value) => isInOrder(folded(field, value), first, (sign) => sign >= 0)
    default:
      throw badOperator(field)
  }
}

function isInOrder(value: Value, other: Value, accepts: (sign: number) => boolean): boolean {
  return value !== null && other !== null && accepts(compare(value, other))
}

export function compare(one: Value, other: Value): number {
  if (one === other) return 0
  if (one === null) return -1
  if (other === null) return 1
  return one < other ? -1 : 1
}

/** Comparisons ignore the case of text, but not of ids. */
export function folded(field: Field, value: Value): Value {
  return typeof value === 'string' && isText(field) ? value.toLowerCase() : value
}

function isText({ type }: Field): boolean {
  return type !== 'id' && type !== 'reference' && type !== 'date' && type !== 'time'
}

function badOperator(field: Field) {
  return apiError(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid operator on ${field.name}`)
}
