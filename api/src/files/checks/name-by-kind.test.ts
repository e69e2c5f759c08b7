import { DOCUMENT_NAME_MAX_BYTES } from '@guidon/contract/document-refusals'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { nameByKind } from './name-by-kind.ts'

it.each([
  ['pdf', 'Orders.PDF', 'Orders.PDF'],
  ['jpeg', 'photo.jpeg', 'photo.jpeg'],
  ['jpeg', 'photo.JPG', 'photo.JPG'],
  ['pdf', 'page.html', 'page.html.pdf'],
  ['pdf', 'photo.jpg', 'photo.pdf'],
  ['jpeg', 'Orders.PDF', 'Orders.jpg'],
  ['jpeg', 'scan', 'scan.jpg'],
  ['pdf', 'v1.2', 'v1.2.pdf'],
  ['jpeg', '.pdf', 'document.jpg'],
  ['pdf', 'a'.repeat(255), `${'a'.repeat(251)}.pdf`],
  ['pdf', `${'a'.repeat(250)}.html`, `${'a'.repeat(250)}.pdf`],
] as const)('the name of a %s, %s, becomes %s', (kind, name, expected) => {
  expect(nameByKind(kind, name)).toBe(expected)
})

it('gives any name the extension of its content, within the length that file systems allow', () => {
  const piece = constantFrom('.', ' ', '/', 'a', '\ud800', 'é', '👩🏽‍🦽', '.pdf', '.JPG', '.html')
  const anyName = oneof(
    string({ unit: 'binary', maxLength: 400 }),
    string({ unit: 'grapheme', maxLength: 400 }),
    array(piece, { maxLength: 300, size: 'max' }).map((all) => all.join('')),
  )
  assert(
    property(constantFrom('pdf' as const, 'jpeg' as const), anyName, (kind, name) => {
      const renamed = nameByKind(kind, name)
      expect(renamed).toMatch(kind === 'pdf' ? /[^.\s].*\.pdf$/i : /[^.\s].*\.jpe?g$/i)
      expect(Buffer.byteLength(renamed)).toBeLessThanOrEqual(DOCUMENT_NAME_MAX_BYTES)
      expect(renamed.isWellFormed()).toBe(true)
      // The cut leaves no joiner without the character after it.
      expect(renamed).not.toMatch(/\u200d\./)
      expect(nameByKind(kind, renamed)).toBe(renamed)
    }),
    { numRuns: 500 },
  )
})
