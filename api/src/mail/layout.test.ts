import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readBrand } from '../platform/brand.ts'
import { brandFor, button, code, emailLayout, paragraph } from './layout.ts'

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
    'Veterans Crisis Line: dial 988, then press 1, or text 838255.',
    'We never ask for your VA.gov or ID.me password.',
    `${brand.legal.notice!.text} Find an accredited representative ${brand.legal.notice!.link!.url}`,
  ])
})

it('has the crisis line in the HTML part, too, with links that call and text', async () => {
  const { html } = await message()
  expect(html).toMatch(/<a href="tel:988"[^>]*>dial 988, then press 1<\/a>/)
  expect(html).toMatch(/<a href="sms:838255"[^>]*>text 838255<\/a>/)
  expect(html).toContain('We never ask for your VA.gov or ID.me password.')
})

it('has the notice that the law of the state requires', async () => {
  const content = { subject: 'A', preview: 'B', heading: 'C', body: [] }
  const notice = brand.legal.states['Utah']!.notice!.text
  const { text, html } = await emailLayout(brandFor(brand, 'Utah'), content)
  expect(text).toContain(notice)
  expect(html.replaceAll('&#x27;', "'")).toContain(notice)
  expect((await emailLayout(brandFor(brand, 'Ohio'), content)).text).not.toContain(notice)
})

it('is the layout of every email: no other code writes one', () => {
  const source = resolve(import.meta.dirname, '..')
  const writers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .filter((name) => /\bhtml\b[,:]/.test(readFileSync(join(source, name), 'utf8')))
  // The type of a message, and the adapter that sends it.
  expect(writers.toSorted()).toEqual(['mail/layout.ts', 'mail/port.ts', 'mail/smtp/smtp-mail.ts'])
})

it('has colors for a dark email client', async () => {
  const { html } = await message()
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
  const [, sheet = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  // The message uses every class of the sheet, except that of a link below the message, which it does not have.
  for (const [, name] of sheet.replace(', .below', '').matchAll(/\.([a-z]+)[ ,]/g)) {
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
