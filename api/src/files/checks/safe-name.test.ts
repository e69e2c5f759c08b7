import { DOCUMENT_NAME_MAX_BYTES } from '@guidon/contract/document-refusals'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeName } from './safe-name.ts'

describe('the name of a file', () => {
  it.each([
    'DD-214.pdf',
    'Año “2024” – résumé.pdf',
    '診断書 (最終).jpg',
    'תעודה.pdf',
    '👩🏽‍🦽 photo.jpeg',
    'R&D: 100% "final"; v=2?.pdf',
    'no extension',
    '.pdf.pdf'.slice(1),
  ])('stays as given: %s', (name) => {
    expect(safeName(name)).toBe(name)
  })

  it.each([
    ['with a line break', 'a\r\nSet-Cookie: b.pdf', 'aSet-Cookie: b.pdf'],
    ['with an end of text', 'a.pdf\0.exe', 'a.pdf.exe'],
    ['with control characters', '\u001b[31mred\u007f\u0085.pdf', '[31mred.pdf'],
    ['that is turned around', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['in isolation', '\u2066a\u2069\u200f\u061c.pdf', 'a.pdf'],
    ['with a mark of byte order', '\ufeffa.pdf', 'a.pdf'],
    ['with line separators', 'a\u2028b\u2029.pdf', 'ab.pdf'],
    ['with half a character', 'a\ud83d.pdf', 'a.pdf'],
    ['of a path', '../../etc/passwd', 'etcpasswd'],
    ['of a path of Windows', '..\\..\\win.ini', 'win.ini'],
    ['of a made-up folder', 'C:\\fakepath\\DD-214.pdf', 'DD-214.pdf'],
    ['with space around it', '  a  b .pdf  ', 'a b .pdf'],
    ['that ends in dots', 'a.pdf...', 'a.pdf'],
  ])('%s loses that', (_, name, safe) => {
    expect(safeName(name)).toBe(safe)
  })

  it.each(['', ' ', '.', '..', '/', '\\\\', '\u202e', '\0\0', '. . .'])(
    'is never empty: %j',
    (name) => {
      expect(safeName(name)).toBe('document')
    },
  )

  it('that is only an extension gets a name before it', () => {
    expect(safeName('.pdf')).toBe('document.pdf')
    expect(safeName('/.PDF')).toBe('document.PDF')
  })

  it('is cut to what a disk takes, without its extension', () => {
    expect(safeName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`)
    expect(safeName('a'.repeat(300))).toBe('a'.repeat(255))
    expect(safeName(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`)
  })

  it('is never cut in the middle of what is seen as one character', () => {
    const family = '👨‍👩‍👧‍👦'
    const cut = safeName(`${family.repeat(40)}.jpeg`)
    expect(cut).toBe(`${family.repeat(10)}.jpeg`)
  })

  it('is safe whatever is given, and safe again is the same', () => {
    const anything = oneof(
      string({ unit: 'binary', maxLength: 400 }),
      string({ unit: 'grapheme', maxLength: 400 }),
      array(constantFrom('.', ' ', '/', '\u202e', 'a', '\ud800', 'é', '.pdf')).map((all) =>
        all.join(''),
      ),
    )
    assert(
      property(anything, (name) => {
        const safe = safeName(name)
        expect(safe).not.toMatch(/^\s*$|^\.|[/\\\p{Cc}\p{Cs}\p{Bidi_Control}]/u)
        expect(safe).toBe(safe.trim())
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(DOCUMENT_NAME_MAX_BYTES)
        expect(safeName(safe)).toBe(safe)
      }),
      { numRuns: 500 },
    )
  })
})

it('takes no time for a name made of dots', () => {
  const started = performance.now()
  safeName(`a${'.'.repeat(65_000)}x`)
  expect(performance.now() - started).toBeLessThan(20)
})
