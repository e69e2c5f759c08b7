import { expect, it } from 'vitest'
import { readBrand } from '../platform/brand.ts'
import { button, code, emailLayout, paragraph } from './layout.ts'

const LINK = `https://portal.guidon.example/reset-password?token=${'x'.repeat(43)}`

const { brand } = readBrand(`${import.meta.dirname}/../../../brand`)

const message = () =>
  emailLayout(brand, {
    subject: 'Reset your password',
    preview: 'Choose a new password with the link inside.',
    heading: 'Reset your password',
    body: [
      paragraph(`Use this link, or call ${brand.phone}.`),
      button('Choose a new password', LINK),
      code('123456'),
    ],
  })

it('has a plain-text part in reading order, with each link in full on its own line', async () => {
  const { text } = await message()
  expect(text.split(/\n+/)).toEqual([
    'Guidon',
    'Reset your password',
    'Use this link, or call 1-800-555-0142.',
    'Choose a new password:',
    LINK,
    '123456',
    'Questions? Call 1-800-555-0142, Monday to Friday, 8:00 am to 5:00 pm PST.',
    'This message was sent by Guidon. Replies to it are not read.',
  ])
})

it('has colours for a dark email client', async () => {
  const { html } = await message()
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
  const [, sheet = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  // Every class of the sheet is one that the message uses.
  for (const [, name] of sheet.matchAll(/\.([a-z]+)[ ,]/g)) {
    expect(html).toContain(`class="${name}"`)
  }
  expect(sheet).toContain('prefers-color-scheme: dark')
})

it('makes a phone number within a sentence a link that stays on one line', async () => {
  const { html } = await message()
  expect(html).toMatch(
    /or call <a href="tel:\+18005550142"[^>]*white-space:nowrap[^>]*>1-800-555-0142<\/a>/,
  )
})
