import * as z from 'zod/mini'

const httpsLink = z.url({ protocol: /^https$/, error: 'must be an https:// link' })

/** The provider's name, contact data and links, read from the brand folder at start. */
export const brand = z.object({
  name: z.string().check(z.minLength(1)),
  /** Written as screens show it; a link dials only its digits. */
  phone: z.string().check(z.minLength(7)),
  informationEmail: z.email(),
  termsUrl: httpsLink,
  privacyUrl: httpsLink,
  /** Version of the terms; stored with each acceptance. */
  termsVersion: z.string().check(z.minLength(1)),
  /** Address of a record in the CRM; `{id}` stands for the Salesforce id. */
  crmRecordUrl: httpsLink.check(z.includes('{id}', { error: 'must contain {id}' })),
  /** Origin of the provider's Box, for links to folders and files; absent if staff get no such links. */
  boxUrl: z.optional(httpsLink),
  emailSender: z.object({ name: z.string().check(z.minLength(1)), address: z.email() }),
  /** Origin of the API; absent if the API also serves the pages. */
  apiHost: z.optional(z.url()),
})
export type Brand = z.infer<typeof brand>

/** The part of the brand that pages receive. */
export const pageBrand = z.omit(brand, { emailSender: true })
