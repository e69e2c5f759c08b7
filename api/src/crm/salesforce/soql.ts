import { isUuid } from '../../platform/uuid.ts'
import { CrmRefused } from '../port.ts'

const ID = /^[a-zA-Z0-9]{15}([a-zA-Z0-9]{3})?$/
const CHECK_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

/** Quotes and escapes the text, so that nothing in it can end the literal. */
export function textLiteral(text: string): string {
  return `'${text.replace(/[\\'\n\r\t\b\f]/g, (character) => ESCAPES[character]!)}'`
}

export function idLiteral(id: string): string {
  return `'${checkedId(id)}'`
}

export function momentLiteral(moment: string): string {
  const time = Date.parse(moment)
  if (Number.isNaN(time)) throw new CrmRefused('MALFORMED_MOMENT')
  return new Date(time).toISOString()
}

export function isId(text: string): boolean {
  return ID.test(text)
}

/** Returns a CRM id in its 18-character form. Anything else is refused before it reaches a query or a path. */
export function checkedId(id: string): string {
  if (!isId(id)) throw new CrmRefused('MALFORMED_ID')
  return id.length === 18 ? id : id + caseChecksum(id)
}

// Each of the three characters encodes which of five are capitals.
function caseChecksum(id: string): string {
  return [0, 5, 10]
    .map((from) => {
      const five = Array.from(id.slice(from, from + 5))
      const bits = five.reduce((sum, char, at) => sum + (/[A-Z]/.test(char) ? 1 << at : 0), 0)
      return CHECK_DIGITS[bits]
    })
    .join('')
}

/** Returns one of the portal's ids. jsforce does not encode paths, so anything else is refused. */
export function checkedUuid(id: string): string {
  if (!isUuid(id)) throw new CrmRefused('MALFORMED_KEY')
  return id
}

/** `Veteran__c` → `Veteran__r`, `ContactId` → `Contact`. */
export function relationshipOf(field: string): string {
  return field.endsWith('__c') ? field.replace(/__c$/, '__r') : field.replace(/Id$/, '')
}
