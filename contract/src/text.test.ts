import { describe, expect, it } from 'vitest'
import { email } from './account.ts'
import { lastName } from './person.ts'
import { secret, text, textOfLines, tooLongText, UNREADABLE_TEXT } from './text.ts'

const MAX = 40
const oneLine = text({ max: MAX })
const lines = textOfLines({ max: MAX })
const password = secret({ max: MAX })

const messagesFor = (schema: typeof oneLine, given: string) =>
  schema.safeParse(given).error?.issues.map(({ message }) => message)

describe('a text that the server receives', () => {
  it('is trimmed and composed', () => {
    expect(oneLine.parse('  Jose\u0301 ')).toBe('Jos\u00e9')
    expect(oneLine.parse('')).toBe('')
  })

  it('may be as long as its limit after composing', () => {
    expect(oneLine.parse('e\u0301'.repeat(MAX))).toHaveLength(MAX)
    expect(messagesFor(oneLine, 'é'.repeat(MAX + 1))).toEqual([tooLongText(MAX)])
  })

  it('is refused for its length before any other check', () => {
    expect(messagesFor(oneLine, '\0'.repeat(64 * 1024))).toEqual([tooLongText(MAX)])
  })

  it.each([
    ['NUL', '\0'],
    ['a control character', '\u0007'],
    ['a line break', '\n'],
    ['half of a character', '\ud800'],
    ['a line separator', '\u2028'],
    ['an override of direction', '\u202e'],
  ])('is refused with %s', (_, character) => {
    expect(messagesFor(oneLine, `a${character}b`)).toEqual([UNREADABLE_TEXT])
  })

  it('may have tabs and line breaks if its schema allows several lines', () => {
    expect(lines.parse('a\r\nb\tc\n')).toBe('a\nb\tc')
    expect(messagesFor(lines, 'a\0b')).toEqual([UNREADABLE_TEXT])
    expect(messagesFor(lines, 'a\u2029b')).toEqual([UNREADABLE_TEXT])
  })

  it('keeps names in any script unchanged', () => {
    for (const name of ["O'Brien-Nguyễn", 'Łukasz', '李小龙', 'Zoë 👩‍🚀', 'محمد'])
      expect(oneLine.parse(name)).toBe(name)
  })
})

describe('a password', () => {
  it('is neither trimmed nor composed, and may have any character but NUL', () => {
    for (const typed of [' pass ', 'e\u0301', 'a\tb\u202e', '\ud800'])
      expect(password.parse(typed)).toBe(typed)
    expect(messagesFor(password, 'a\0b')).toEqual([UNREADABLE_TEXT])
    expect(messagesFor(password, 'x'.repeat(MAX + 1))).toEqual([tooLongText(MAX)])
  })
})

describe('a stored value', () => {
  it('is unchanged when parsed again', () => {
    for (const stored of ['james@example.com', 'james@xn--exmple-cua.com'])
      expect(email.parse(stored)).toBe(stored)
    for (const stored of ["O'Brien", 'de la Cruz', 'Nguyễn'])
      expect(lastName.parse(stored)).toBe(stored)
  })
})
