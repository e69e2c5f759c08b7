import { DOCUMENT_NAME_MAX_BYTES } from '@guidon/contract/document-refusals'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { namedAs } from './named-as.ts'

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
] as const)('a %s called %s is called %s', (kind, name, called) => {
  expect(namedAs(kind, name)).toBe(called)
})

it('whatever the name is, it ends as its content, and is no longer than a file system takes', () => {
  const piece = constantFrom('.', ' ', '/', 'a', '\ud800', 'é', '👩🏽‍🦽', '.pdf', '.JPG', '.html')
  const anything = oneof(
    string({ unit: 'binary', maxLength: 400 }),
    string({ unit: 'grapheme', maxLength: 400 }),
    array(piece, { maxLength: 300, size: 'max' }).map((all) => all.join('')),
  )
  assert(
    property(constantFrom('pdf' as const, 'jpeg' as const), anything, (kind, name) => {
      const called = namedAs(kind, name)
      expect(called).toMatch(kind === 'pdf' ? /[^.\s].*\.pdf$/i : /[^.\s].*\.jpe?g$/i)
      expect(Buffer.byteLength(called)).toBeLessThanOrEqual(DOCUMENT_NAME_MAX_BYTES)
      expect(called.isWellFormed()).toBe(true)
      // No mark that joins two characters is left without the second one.
      expect(called).not.toMatch(/\u200d\./)
      expect(namedAs(kind, called)).toBe(called)
    }),
    { numRuns: 500 },
  )
})
