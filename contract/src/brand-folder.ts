import * as z from 'zod/mini'
import { STATE_NOTICE } from './legal.ts'
import type { Legal } from './legal.ts'
import { STATE_NAMES } from './states.ts'

/** The JSON files of the brand folder. Not in `brand.ts`, because pages do not check them again and need no schemas. */

const httpsLink = z.url({ protocol: /^https$/, error: 'must be an https:// link' })

const TEXT_MAX = 2_000
const WORDS = `must be a text of 1 to ${TEXT_MAX} characters`
const words = z.string(WORDS).check(z.minLength(1, WORDS), z.maxLength(TEXT_MAX, WORDS))
const VERSION = 'must be a text of 1 to 40 characters, such as a date'
const version = z.string(VERSION).check(z.minLength(1, VERSION), z.maxLength(40, VERSION))
const yesOrNo = z.boolean('must be true or false')

const objectError = (otherwise: string) => ({
  error: ({ code, keys }: { code?: string; keys?: unknown }) =>
    code === 'unrecognized_keys' ? `${String(keys)}: not known` : otherwise,
})

/** `brand.json`: the provider's name, contact data and links. */
export const brandFile = z.object({
  name: z.string().check(z.minLength(1)),
  /** Written as screens show it; a link dials only its digits. */
  phone: z.string().check(z.minLength(7)),
  informationEmail: z.email(),
  termsUrl: httpsLink,
  privacyUrl: httpsLink,
  /** Address of a record in the CRM; `{id}` stands for the Salesforce id. */
  crmRecordUrl: httpsLink.check(z.includes('{id}', { error: 'must contain {id}' })),
  /** Origin of the provider's Box, for links to folders and files; absent if staff get no such links. */
  boxUrl: z.optional(httpsLink),
  emailSender: z.object({ name: z.string().check(z.minLength(1)), address: z.email() }),
  /** Origin of the API; absent if the API also serves the pages. */
  apiHost: z.optional(z.url()),
})

const noticeFields = {
  version,
  text: words,
  link: z.optional(z.strictObject({ label: words, url: httpsLink }, objectError('must be a link'))),
}

/** `legal/notice.json`: that the provider is not part of VA. On every screen and in every email. */
export const noticeFile = z.strictObject(noticeFields, objectError('must be a notice'))

const stateRule = z.strictObject(
  {
    /** Shown to veterans of this state in addition. With `mustAccept`, they agree to it like to the terms. */
    notice: z.optional(
      z.strictObject(
        { ...noticeFields, mustAccept: z.optional(yesOrNo) },
        objectError('must be a notice'),
      ),
    ),
    /** Why nobody of this state can sign up; absent if sign-up is offered. */
    noSignUp: z.optional(words),
  },
  objectError('must be the rules of a state'),
)

/** `legal/states.json`: what differs by state. */
export const statesFile = z.partialRecord(z.enum(STATE_NAMES), stateRule, 'must name states')

const consentText = z.strictObject(
  {
    version,
    /** Where `text` contains the title, the title is the link. */
    title: words,
    text: words,
    /** For `terms` and `privacy`, `brand.json` has the link. */
    url: z.optional(httpsLink),
    /** What is different in this version, for veterans who agreed to an earlier one. */
    changes: z.optional(words),
    /** The veteran may agree and withdraw in Settings, and is never asked at sign-in. */
    optional: z.optional(yesOrNo),
  },
  objectError('must be a consent'),
)

const INVALID_KIND = 'a kind has 1 to 40 small letters and hyphens'

/** `legal/consents.json`: what veterans agree to, by kind. */
export const consentsFile = z
  .record(
    z.string().check(z.regex(/^[a-z][a-z-]{0,39}$/, INVALID_KIND)),
    consentText,
    'must be kinds',
  )
  .check(
    z.refine(
      ({ terms, privacy }) => terms !== undefined && privacy !== undefined,
      'must have terms and privacy',
    ),
    z.refine(
      ({ terms, privacy }) => !terms?.optional && !privacy?.optional,
      'terms and privacy cannot be optional',
    ),
    z.refine((all) => !(STATE_NOTICE in all), `${STATE_NOTICE} is the kind of notices by state`),
  )

/** What the folder says about the provider. */
export type Brand = z.infer<typeof brandFile> & { legal: Legal }

/** Reads and checks a file of the folder. Returns undefined if there is no such file. */
type ReadFile = <Type extends z.ZodMiniType>(name: string, type: Type) => z.infer<Type> | undefined

/** Joins the files of the folder. `legal/notice.json` and `legal/states.json` may be absent. */
export function joinBrandFiles(read: ReadFile): Brand {
  const brand = read('brand.json', brandFile)
  if (!brand) throw new Error('brand.json is missing')
  const consents = read('legal/consents.json', consentsFile)
  if (!consents) throw new Error('legal/consents.json is missing')
  const links: Record<string, string> = { terms: brand.termsUrl, privacy: brand.privacyUrl }
  return {
    ...brand,
    legal: {
      notice: read('legal/notice.json', noticeFile),
      states: read('legal/states.json', statesFile) ?? {},
      consents: Object.entries(consents).map(([kind, consent]) => ({
        kind,
        version: consent.version,
        title: consent.title,
        text: consent.text,
        url: links[kind] ?? consent.url,
        changes: consent.changes,
        optional: consent.optional ?? false,
      })),
    },
  }
}
