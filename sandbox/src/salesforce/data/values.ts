import type { ErrorEntry } from '../errors.ts'
import type { Field } from '../schema/schema.ts'
import { textOf } from '../text.ts'
import { fullId } from './ids.ts'
import type { Value } from './row.ts'

const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?Z?$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type Checked = { value: Value } | { error: ErrorEntry }

/** The stored form of a written value, or the error that Salesforce returns for it. */
export function checkValue(field: Field, raw: unknown): Checked {
  if (raw === null || raw === undefined || raw === '') {
    return { value: field.type === 'boolean' ? false : null }
  }
  switch (field.type) {
    case 'boolean':
      return typeof raw === 'boolean' ? { value: raw } : unreadable(field, raw)
    case 'double':
      return checkNumber(field, raw)
    case 'date':
      return isDate(raw) ? { value: raw } : unreadable(field, raw)
    case 'time':
      return typeof raw === 'string' && TIME.test(raw)
        ? { value: wholeTime(raw) }
        : unreadable(field, raw)
    case 'datetime': {
      const time = typeof raw === 'string' ? parseDateTime(raw) : undefined
      return time === undefined ? unreadable(field, raw) : { value: time }
    }
    case 'id':
    case 'reference': {
      const id = fullId(textOf(raw))
      return id === undefined
        ? refused(
            field,
            'MALFORMED_ID',
            `${field.label}: id value of incorrect type: ${textOf(raw)}`,
          )
        : { value: id }
    }
    case 'picklist':
      return checkChoice(field, raw)
    case 'multipicklist':
      return checkChoices(field, raw)
    case 'string':
    case 'textarea':
    case 'email':
    case 'phone':
      return checkText(field, raw)
  }
}

function checkNumber(field: Field, raw: unknown): Checked {
  if (typeof raw !== 'number' || !Number.isFinite(raw)) return unreadable(field, raw)
  const { precision = 18, scale = 0 } = field
  if (Math.abs(raw) >= 10 ** (precision - scale)) {
    const message = `${field.label}: value outside of valid range on numeric field: ${raw}`
    return refused(field, 'NUMBER_OUTSIDE_VALID_RANGE', message)
  }
  return { value: Number(raw.toFixed(scale)) }
}

function checkChoice(field: Field, raw: unknown): Checked {
  // Salesforce ignores the case of a written value, and stores its own spelling.
  const written = textOf(raw).toLowerCase()
  const choice = field.picklist?.find(({ value }) => value.toLowerCase() === written)
  if (choice !== undefined) return { value: choice.value }
  if (field.openPicklist === true) return checkText(field, raw)
  const message = `${field.label}: bad value for restricted picklist field: ${textOf(raw)}`
  return refused(field, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', message)
}

/** `Syria;Vietnam`: stored in the order of the list, each value once. */
function checkChoices(field: Field, raw: unknown): Checked {
  const values: Value[] = []
  for (const part of textOf(raw).split(';').filter(Boolean)) {
    const checked = checkChoice(field, part)
    if ('error' in checked) return checked
    values.push(checked.value)
  }
  const chosen = (field.picklist ?? []).filter(({ value }) => values.includes(value))
  return { value: chosen.map(({ value }) => value).join(';') || null }
}

function checkText(field: Field, raw: unknown): Checked {
  if (typeof raw === 'object') return unreadable(field, raw)
  const text = textOf(raw).trim()
  if (text === '') return { value: null }
  const { length = Infinity } = field
  if (text.length > length) {
    const message = `${field.label}: data value too large: ${text} (max length=${length})`
    return refused(field, 'STRING_TOO_LONG', message)
  }
  if (field.type === 'email' && !EMAIL.test(text)) {
    const message = `${field.label}: invalid email address: ${text}`
    return refused(field, 'INVALID_EMAIL_ADDRESS', message)
  }
  return { value: text }
}

function refused(field: Field, errorCode: string, message: string): Checked {
  return { error: { message, errorCode, fields: [field.name] } }
}

function unreadable(field: Field, raw: unknown): Checked {
  const message = `Cannot deserialize instance of ${field.type} from ${JSON.stringify(raw)}`
  return refused(field, 'JSON_PARSER_ERROR', message)
}

export function isDate(raw: unknown): raw is string {
  if (typeof raw !== 'string' || !DATE.test(raw)) return false
  const parsed = new Date(`${raw}T00:00:00Z`)
  // The 31st of February parses as a day in March.
  return !Number.isNaN(parsed.valueOf()) && parsed.toISOString().startsWith(raw)
}

export function parseDateTime(raw: string): number | undefined {
  if (!DATE_TIME.test(raw)) return undefined
  const time = Date.parse(raw.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(time) ? undefined : time
}

function wholeTime(raw: string): string {
  const [hours, minutes, seconds = '00'] = raw.replace('Z', '').split(':')
  const [whole, thousandths = ''] = seconds.split('.')
  return `${hours}:${minutes}:${whole}.${thousandths.padEnd(3, '0')}Z`
}

/** A value as the API returns it: timestamps end with `+0000`. */
export function apiValue(field: Field, value: Value): Value {
  if (value === null || field.type !== 'datetime') return value
  return new Date(value as number).toISOString().replace('Z', '+0000')
}
