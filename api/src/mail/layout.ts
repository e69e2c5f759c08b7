import { telHref } from '@guidon/contract/brand'
import type { Brand } from '@guidon/contract/brand'
import { stateRule } from '@guidon/contract/legal'
import type { LegalNotice } from '@guidon/contract/legal'
import {
  CRISIS_CALL,
  CRISIS_CALL_HREF,
  CRISIS_LINE,
  CRISIS_TEXT,
  CRISIS_TEXT_HREF,
  NEVER_ASKED,
} from '@guidon/contract/trust'
import { Body } from '@react-email/body'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { render, toPlainText } from '@react-email/render'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { createElement as h } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import type { EmailMessage } from './port.ts'

const INK = '#0B2239'
const SOFT_INK = '#3F5468'
const font = "'Public Sans', 'Segoe UI', Helvetica, Arial, sans-serif"

const styles = {
  page: {
    backgroundColor: '#F4F8FB',
    color: INK,
    fontFamily: font,
    margin: 0,
    padding: '24px 8px',
  },
  card: {
    backgroundColor: '#FFFFFF',
    border: '1px solid #D6E2EC',
    borderRadius: 16,
    maxWidth: 560,
    padding: '32px 32px 24px',
  },
  name: { color: '#006BAC', fontSize: 20, fontWeight: 700, margin: '0 0 24px' },
  heading: { fontSize: 26, lineHeight: '32px', margin: '0 0 12px' },
  text: { fontSize: 18, lineHeight: '27px', margin: '0 0 16px' },
  strong: { fontSize: 18, fontWeight: 700, lineHeight: '27px', margin: '0 0 4px' },
  code: {
    backgroundColor: '#EFF8FE',
    border: '1px solid #BDE3FB',
    borderRadius: 8,
    fontSize: 36,
    fontWeight: 700,
    letterSpacing: 8,
    lineHeight: '44px',
    margin: '8px 0 24px',
    padding: '16px 8px',
    textAlign: 'center',
  },
  buttonRow: { margin: '8px 0 24px' },
  button: {
    backgroundColor: '#8FD0F8',
    border: '1px solid #006BAC',
    borderRadius: 8,
    color: INK,
    display: 'inline-block',
    fontSize: 18,
    fontWeight: 700,
    padding: '12px 24px',
    textDecoration: 'none',
  },
  line: { borderColor: '#D6E2EC', margin: '24px 0 16px' },
  small: { color: SOFT_INK, fontSize: 15, lineHeight: '22px', margin: '0 0 8px' },
  link: { color: '#006BAC', fontWeight: 700, textDecoration: 'none', whiteSpace: 'nowrap' },
} satisfies Record<string, CSSProperties>

// Email clients without media queries keep the light colors above.
const styleSheet = `
  @media (max-width: 480px) { .card { padding: 24px 20px 16px !important; } }
  @media (prefers-color-scheme: dark) {
    .page, .page td { background-color: #0B1722 !important; color: #EAF3FA !important; }
    .card, .card td { background-color: #122433 !important; }
    .card, .line { border-color: #2C4459 !important; }
    .code { background-color: #152C3F !important; border-color: #2F5F82 !important; }
    .name, .link, .below { color: #8FD0F8 !important; }
    .small { color: #B4C7D8 !important; }
  }`

const styled = (name: keyof typeof styles) => ({ className: name, style: styles[name] })

const PHONE_NUMBER = /(\+?\d[\d() .-]{5,}\d)/

const phoneLink = (phone: string) => h(Link, { href: telHref(phone), ...styled('link') }, phone)

/** Phone numbers become links, which stay on one line. */
export const paragraph = (text: string) => {
  const parts = text.split(PHONE_NUMBER).map((part, index) => (index % 2 ? phoneLink(part) : part))
  return h(Text, styled('text'), ...parts)
}
export const strong = (text: string) => h(Text, { className: 'strong', style: styles.strong }, text)
export const code = (digits: string) => h(Text, styled('code'), digits)

export const button = (label: string, link: string) =>
  h(Section, styled('buttonRow'), h(Link, { href: link, ...styled('button') }, label))

const inlineLink = (label: string, href: string) =>
  h(Link, { href, className: 'link', style: { ...styles.link, whiteSpace: 'normal' } }, label)

export interface MailBrand extends Brand {
  /** What the law of the recipient's state requires. */
  stateNotice?: LegalNotice | undefined
}

export const brandFor = (brand: Brand, state: string): MailBrand => ({
  ...brand,
  stateNotice: stateRule(brand.legal, state)?.notice,
})

/** What every email says: where to get help in a crisis, what we never ask for, and the legal notices. */
function trustLines({ legal, stateNotice }: MailBrand): ReactNode[] {
  return [
    h(
      Text,
      styled('small'),
      `${CRISIS_LINE}: `,
      inlineLink(CRISIS_CALL, CRISIS_CALL_HREF),
      ', or ',
      inlineLink(CRISIS_TEXT, CRISIS_TEXT_HREF),
      '.',
    ),
    h(Text, styled('small'), NEVER_ASKED),
    ...[legal.notice, stateNotice].map(
      (notice) =>
        notice &&
        h(
          Text,
          styled('small'),
          notice.text,
          ...(notice.link ? [' ', inlineLink(notice.link.label, notice.link.url)] : []),
        ),
    ),
  ]
}

/** A link below the message, such as the one to choose which emails to get. */
export const smallLink = (label: string, link: string) =>
  h(Text, styled('small'), h(Link, { href: link, className: 'below', style: styles.link }, label))

export interface EmailContent {
  subject: string
  /** Shown beside the subject, also on lock screens: never put a code here. */
  preview: string
  heading: string
  body: ReactNode[]
}

/** Renders the HTML and the plain text of an email. */
export async function emailLayout(brand: MailBrand, message: EmailContent): Promise<EmailMessage> {
  const page = h(
    Html,
    { lang: 'en' },
    h(
      Head,
      null,
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('title', null, message.subject),
      h('style', null, styleSheet),
    ),
    h(Preview, null, message.preview),
    h(
      Body,
      styled('page'),
      h(
        Container,
        styled('card'),
        h(Text, styled('name'), brand.name),
        h(Heading, { as: 'h1', style: styles.heading }, message.heading),
        h(Section, null, ...message.body),
        h(Hr, styled('line')),
        h(
          Text,
          styled('small'),
          'Questions? Call ',
          phoneLink(brand.phone),
          ', Monday to Friday, 8:00 am to 5:00 pm PST.',
        ),
        h(
          Text,
          styled('small'),
          `This message was sent by ${brand.name}. Replies to it are not read.`,
        ),
        ...trustLines(brand),
      ),
    ),
  )
  const html = await render(page)
  return { subject: message.subject, html, text: toPlainText(html, PLAIN_TEXT) }
}

interface LinkElement {
  attribs: Record<string, string>
  children: unknown[]
}
interface TextBuilder {
  addInline(text: string, options?: { noWordTransform: boolean }): void
  addLineBreak(): void
}
type Walk = (children: unknown[], builder: TextBuilder) => void

/**
 * Written to be read aloud: no heading in capitals, no row of dashes, and the addresses of buttons and small links on
 * their own lines.
 */
const PLAIN_TEXT = {
  selectors: [
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'hr', format: 'skip' },
    { selector: 'a.button', format: 'linkBelow' },
    { selector: 'a.below', format: 'linkBelow' },
    // The phone number is enough; its link would repeat it.
    { selector: 'a[href^="tel:"]', format: 'anchor', options: { ignoreHref: true } },
    { selector: 'a[href^="sms:"]', format: 'anchor', options: { ignoreHref: true } },
  ],
  formatters: {
    linkBelow: (element: LinkElement, walk: Walk, builder: TextBuilder) => {
      walk(element.children, builder)
      builder.addInline(':')
      builder.addLineBreak()
      builder.addInline(element.attribs['href'] ?? '', { noWordTransform: true })
    },
  },
}
