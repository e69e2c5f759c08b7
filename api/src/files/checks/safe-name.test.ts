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
    'pdf.pdf',
  ])('is unchanged: %s', (name) => {
    expect(safeName(name)).toBe(name)
  })

  it.each([
    ['with a line break', 'a\r\nSet-Cookie: b.pdf', 'aSet-Cookie: b.pdf'],
    ['with a null character', 'a.pdf\0.exe', 'a.pdf.exe'],
    ['with control characters', '\u001b[31mred\u007f\u0085.pdf', '[31mred.pdf'],
    ['with a direction override', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['with direction marks', '\u2066a\u2069\u200f\u061c.pdf', 'a.pdf'],
    ['with a byte order mark', '\ufeffa.pdf', 'a.pdf'],
    ['with line separators', 'a\u2028b\u2029.pdf', 'ab.pdf'],
    ['with a lone surrogate', 'a\ud83d.pdf', 'a.pdf'],
    ['that is a path', '../../etc/passwd', 'etcpasswd'],
    ['that is a Windows path', '..\\..\\win.ini', 'win.ini'],
    ['with a fake folder', 'C:\\fakepath\\DD-214.pdf', 'DD-214.pdf'],
    ['with space around it', '  a  b .pdf  ', 'a b .pdf'],
    ['that ends in dots', 'a.pdf...', 'a.pdf'],
  ])('%s is cleaned', (_, name, safe) => {
    expect(safeName(name)).toBe(safe)
  })

  it.each(['', ' ', '.', '..', '/', '\\\\', '\u202e', '\0\0', '. . .'])(
    'is never empty: %j',
    (name) => {
      expect(safeName(name)).toBe('document')
    },
  )

  it('gets a stem if it is only an extension', () => {
    expect(safeName('.pdf')).toBe('document.pdf')
    expect(safeName('/.PDF')).toBe('document.PDF')
  })

  it('is shortened to what file systems accept, and keeps its extension', () => {
    expect(safeName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`)
    expect(safeName('a'.repeat(300))).toBe('a'.repeat(255))
    expect(safeName(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`)
  })

  it('is never shortened in the middle of a visible character', () => {
    const family = '👨‍👩‍👧‍👦'
    const cut = safeName(`${family.repeat(40)}.jpeg`)
    expect(cut).toBe(`${family.repeat(10)}.jpeg`)
  })

  it('is safe for any input, and cleaning it again changes nothing', () => {
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

it('cleans a name of many dots quickly', () => {
  const before = process.threadCpuUsage()
  safeName(`a${'.'.repeat(65_000)}x`)
  expect(process.threadCpuUsage(before).user).toBeLessThan(20_000)
})
