import { describe, expect, it } from 'vitest'
import { email } from './account.ts'
import { lastName } from './person.ts'
import { secret, text, textOfLines, tooLongText, UNREADABLE_TEXT } from './text.ts'

const MAX = 40
const one = text({ max: MAX })
const lines = textOfLines({ max: MAX })
const password = secret({ max: MAX })

const sentence = (schema: typeof one, given: string) =>
  schema.safeParse(given).error?.issues.map(({ message }) => message)

describe('a text that the server receives', () => {
  it('is trimmed and composed', () => {
    expect(one.parse('  Jose\u0301 ')).toBe('Jos\u00e9')
    expect(one.parse('')).toBe('')
  })

  it('is measured after it was composed', () => {
    expect(one.parse('e\u0301'.repeat(MAX))).toHaveLength(MAX)
    expect(sentence(one, 'é'.repeat(MAX + 1))).toEqual([tooLongText(MAX)])
  })

  it('is measured before any other check', () => {
    expect(sentence(one, '\0'.repeat(64 * 1024))).toEqual([tooLongText(MAX)])
  })

  it.each([
    ['NUL', '\0'],
    ['a control character', '\u0007'],
    ['a line break', '\n'],
    ['half of a character', '\ud800'],
    ['a line separator', '\u2028'],
    ['an override of direction', '\u202e'],
  ])('has no %s', (_, character) => {
    expect(sentence(one, `a${character}b`)).toEqual([UNREADABLE_TEXT])
  })

  it('may have line breaks where it has several lines', () => {
    expect(lines.parse('a\r\nb\tc\n')).toBe('a\nb\tc')
    expect(sentence(lines, 'a\0b')).toEqual([UNREADABLE_TEXT])
    expect(sentence(lines, 'a\u2029b')).toEqual([UNREADABLE_TEXT])
  })

  it('keeps names of any script', () => {
    for (const name of ["O'Brien-Nguyễn", 'Łukasz', '李小龙', 'Zoë 👩‍🚀', 'محمد'])
      expect(one.parse(name)).toBe(name)
  })
})

describe('a password', () => {
  it('is neither trimmed nor composed, and may have any character but NUL', () => {
    for (const typed of [' pass ', 'e\u0301', 'a\tb\u202e', '\ud800'])
      expect(password.parse(typed)).toBe(typed)
    expect(sentence(password, 'a\0b')).toEqual([UNREADABLE_TEXT])
    expect(sentence(password, 'x'.repeat(MAX + 1))).toEqual([tooLongText(MAX)])
  })
})

describe('what is stored already', () => {
  /** The earlier pattern: existing users must still be able to sign in. */
  const BEFORE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
  it.each([
    'james@example.com',
    "o'brien+va@mail.example.co.uk",
    'a@b..c',
    'a@.b.c',
    'a@b.',
    'a@.b',
    'a@b',
    '@b.c',
    'a@@b.c',
    'a b@c.d',
    'a@b.c@d.e',
    'josé@exämple.com',
    'a@b.c.',
  ])('the email %s is accepted or refused as before', (address) => {
    expect(email.safeParse(address).success).toBe(BEFORE.test(address))
  })

  it('is unchanged when parsed again', () => {
    for (const stored of ['james@example.com', 'josé@exämple.com'])
      expect(email.parse(stored)).toBe(stored)
    for (const stored of ["O'Brien", 'de la Cruz', 'Nguyễn'])
      expect(lastName.parse(stored)).toBe(stored)
  })
})
