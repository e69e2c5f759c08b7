import { expect, it } from 'vitest'
import { checkedId, checkedUuid, momentLiteral, relationshipOf, textLiteral } from './soql.ts'

it.each([
  ['plain', "'plain'"],
  ['', "''"],
  ["o'neil@example.com", "'o\\'neil@example.com'"],
  ["' OR Name != '", "'\\' OR Name != \\''"],
  ['back\\slash', "'back\\\\slash'"],
  ["\\'", "'\\\\\\''"],
  ["\\\\' OR ''='", "'\\\\\\\\\\' OR \\'\\'=\\''"],
  ['line\r\nnext\ttab\b\f', "'line\\r\\nnext\\ttab\\b\\f'"],
  ['ünïcödé 🎖', "'ünïcödé 🎖'"],
  ['100%_', "'100%_'"],
])('escapes %j so that it cannot end the literal', (text, literal) => {
  expect(textLiteral(text)).toBe(literal)
  // Inside the literal, each quote must have an odd number of backslashes before it.
  const inner = literal.slice(1, -1)
  for (const { index } of inner.matchAll(/'/g)) {
    expect(/\\*$/.exec(inner.slice(0, index))![0].length % 2).toBe(1)
  }
})

it('accepts ids of 15 and 18 characters, and returns 18', () => {
  expect(checkedId('0035g0000000009AAA')).toBe('0035g0000000009AAA')
  expect(checkedId('a005g000000000A')).toBe('a005g000000000AAAQ')
  expect(checkedId('00D5g000004LtGU')).toBe('00D5g000004LtGUEA0')
  for (const id of ['', '0035g', "0035g000000000'", '0035g0000000009AA', '0035g0000000009AAA\n']) {
    expect(() => checkedId(id)).toThrow('MALFORMED_ID')
  }
})

it('accepts only UUIDs as ids of the portal', () => {
  const id = '0f3a1c52-66d1-4b0e-9a53-5f8a4b1c2d3e'
  expect(checkedUuid(id)).toBe(id)
  for (const invalid of ['', 'x', `${id}/..`, `${id}?x`, `${id}\n`, id.slice(1)]) {
    expect(() => checkedUuid(invalid)).toThrow('MALFORMED_KEY')
  }
})

it('accepts only valid times', () => {
  expect(momentLiteral('2026-03-01T00:00:00+00:00')).toBe('2026-03-01T00:00:00.000Z')
  expect(() => momentLiteral('yesterday')).toThrow('MALFORMED_MOMENT')
})

it('derives the parent relationship of custom and standard fields', () => {
  expect(relationshipOf('Veteran__c')).toBe('Veteran__r')
  expect(relationshipOf('ContactId')).toBe('Contact')
})
