import { fullId } from '../data/ids.ts'
import type { Value } from '../data/row.ts'
import { isDate, parseDateTime } from '../data/values.ts'
import { apiError } from '../errors.ts'
import type { Field } from '../schema/schema.ts'
import { malformed } from './condition.ts'

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** A literal of a query as a value of the field. Throws Salesforce's error for a wrong type. */
export function literalFor(field: Field, raw: string, kind: string): Value {
  if (kind === 'NULL') return null
  switch (field.type) {
    case 'boolean':
      if (kind !== 'BOOLEAN') throw wrongKind(field, 'boolean')
      return raw.toLowerCase() === 'true'
    case 'double':
      if (kind !== 'INTEGER' && kind !== 'DECIMAL') throw wrongKind(field, 'double')
      return Number(raw)
    case 'date':
      if (kind !== 'DATE' || !isDate(raw)) throw wrongKind(field, 'date')
      return raw
    case 'datetime': {
      const time = kind === 'DATETIME' ? parseDateTime(raw) : undefined
      if (time === undefined) throw wrongKind(field, 'dateTime')
      return time
    }
    case 'time':
      throw malformed('the sandbox does not compare times of day')
    case 'id':
    case 'reference': {
      if (kind !== 'STRING') throw wrongKind(field, 'ID')
      const text = unquote(raw)
      const id = fullId(text)
      if (id !== undefined) return id
      throw apiError(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid ID field: ${text}`)
    }
    case 'string':
    case 'textarea':
    case 'email':
    case 'phone':
    case 'picklist':
    case 'multipicklist':
      if (kind !== 'STRING') throw wrongKind(field, 'string')
      return unquote(raw)
  }
}

function wrongKind(field: Field, type: string) {
  const message = `value of filter criterion for field '${field.name}' must be of type ${type}`
  return apiError(400, 'INVALID_FIELD', message)
}

function unquote(raw: string): string {
  return raw
    .slice(1, -1)
    .replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character)
}

/** `%` matches any number of characters, `_` exactly one; a backslash escapes them. */
export function patternOf(raw: string): RegExp {
  const source = raw
    .slice(1, -1)
    .replace(/\\(.)|[%_]|[^\\%_]+/g, (part: string, escaped: string | undefined) => {
      if (part === '%') return '.*'
      if (part === '_') return '.'
      const text = escaped === undefined ? part : (ESCAPES[escaped] ?? escaped)
      return text.replace(/[.*+?^${}()|[\]]|\\/g, '\\$&')
    })
  return new RegExp(`^${source}$`, 'is')
}
