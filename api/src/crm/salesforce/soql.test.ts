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
])('writes %j as a literal that only its own quote ends', (text, literal) => {
  expect(textLiteral(text)).toBe(literal)
  // However it is written: between the outer quotes each quote has an odd number of backslashes before it.
  const inner = literal.slice(1, -1)
  for (const { index } of inner.matchAll(/'/g)) {
    expect(/\\*$/.exec(inner.slice(0, index))![0].length % 2).toBe(1)
  }
})

it('takes ids of 15 and 18 characters, and answers those of 18', () => {
  expect(checkedId('0035g0000000009AAA')).toBe('0035g0000000009AAA')
  expect(checkedId('a005g000000000A')).toBe('a005g000000000AAAQ')
  expect(checkedId('00D5g000004LtGU')).toBe('00D5g000004LtGUEA0')
  for (const id of ['', '0035g', "0035g000000000'", '0035g0000000009AA', '0035g0000000009AAA\n']) {
    expect(() => checkedId(id)).toThrow('MALFORMED_ID')
  }
})

it('takes our own ids alone', () => {
  const id = '0f3a1c52-66d1-4b0e-9a53-5f8a4b1c2d3e'
  expect(checkedUuid(id)).toBe(id)
  for (const odd of ['', 'x', `${id}/..`, `${id}?x`, `${id}\n`, id.slice(1)]) {
    expect(() => checkedUuid(odd)).toThrow('MALFORMED_KEY')
  }
})

it('takes moments alone', () => {
  expect(momentLiteral('2026-03-01T00:00:00+00:00')).toBe('2026-03-01T00:00:00.000Z')
  expect(() => momentLiteral('yesterday')).toThrow('MALFORMED_MOMENT')
})

it('reaches parents by custom and by standard fields', () => {
  expect(relationshipOf('Veteran__c')).toBe('Veteran__r')
  expect(relationshipOf('ContactId')).toBe('Contact')
})
