import { describe, expect, it } from 'vitest'
import { email, maskEmail } from './account.ts'

describe('an email', () => {
  it('is trimmed and lower-cased', () => {
    expect(email.parse('  James.Whitfield@Example.COM ')).toBe('james.whitfield@example.com')
  })

  it.each([
    'JAMES@EXAMPLE.COM',
    'james@\uff45xample.com',
    'james@\u24d4xample.com',
    'james@\u{1d41e}xample.com',
    'james@example\u3002com',
  ])('has one spelling: %j', (spelling) => {
    expect(email.parse(spelling)).toBe('james@example.com')
  })

  it('of a domain with other letters is stored as mail servers see it', () => {
    expect(email.parse("o'neil+va@b\u00fccher.example")).toBe("o'neil+va@xn--bcher-kva.example")
  })

  it.each([
    '',
    'james',
    'james@',
    '@example.com',
    'james@example',
    'a b@example.com',
    `${'x'.repeat(250)}@e.org`,
    // What a mailer reads as another address.
    'james@example.com.',
    '<james@example.com',
    'james@example.com>',
    '"james"@example.com',
    'james,b@example.com',
    '(c)james@example.com',
    'james@example.com;x',
    'james@example.com/x',
    'james@example.com?x',
    'james@example.com:25',
    'james@%65xample.com',
    'james@[example.com]',
    'james@exam\u200bple.com',
    'james@exa\u00admple.com',
    '\uff4aames@example.com',
    'j\u0430mes@example.com',
    '.james@example.com',
    'ja..mes@example.com',
    'james@1.2',
    'james@b@example.com',
  ])('is refused with a message: %j', (text) => {
    expect(email.safeParse(text).error?.issues[0]?.message).toBe('Enter a valid email address')
  })
})

describe('a masked email', () => {
  it.each([
    ['james.whitfield@example.com', 'jam************@example.com'],
    ['jamesw@example.com', 'jam***@example.com'],
    ['al@example.com', 'al*@example.com'],
    ['abc@example.com', 'abc*@example.com'],
  ])('shows the first 3 characters of the local part, then asterisks: %s', (address, masked) => {
    expect(maskEmail(address)).toBe(masked)
  })
})
