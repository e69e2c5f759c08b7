import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { Refusal } from './refusal.ts'
import { identifier } from './text.ts'

const kind = identifier(40, /^[a-z][a-z-]*$/)
/** SHA-256 of the text shown, in hexadecimal. */
const hash = identifier(64, /^[0-9a-f]{64}$/)

const askedConsent = z.object({
  kind: z.string(),
  version: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.optional(z.string()),
  changes: z.optional(z.string()),
  hash: z.string(),
})
export type AskedConsent = z.infer<typeof askedConsent>

const givenConsent = z.object({
  id: z.string(),
  kind: z.string(),
  version: z.string(),
  title: z.string(),
  /** The text as it was shown. */
  shown: z.string(),
  /** ISO timestamps. */
  acceptedAt: z.string(),
  withdrawnAt: z.nullable(z.string()),
  /** When a newer text of the same kind was accepted. */
  replacedAt: z.nullable(z.string()),
  mayWithdraw: z.boolean(),
})
export type GivenConsent = z.infer<typeof givenConsent>

export const getConsents = endpoint({
  method: 'GET',
  path: '/consents/me',
  session: 'required',
  roles: ['USER'],
  response: z.object({
    /** Texts that the provider requires, and that this account has not accepted as they are now. */
    due: z.array(askedConsent),
    /** Texts that the veteran may agree to. */
    optional: z.array(askedConsent),
    /** Newest first. */
    given: z.array(givenConsent),
  }),
  failure: 'Failed to get what you agreed to.',
})

/** Consents in one request. A brand has a handful. */
const CONSENTS_MAX = 20

/** Which texts were shown and accepted. */
export const acceptedTexts = z.array(z.object({ kind, hash })).check(z.maxLength(CONSENTS_MAX))
export type AcceptedText = z.infer<typeof acceptedTexts>[number]

export const acceptConsents = endpoint({
  method: 'POST',
  path: '/consents/me',
  session: 'required',
  roles: ['USER'],
  body: z.object({ accepted: acceptedTexts.check(z.minLength(1)) }),
  failure: 'Failed to save your answer. Please try again later.',
})

/** Refused for a consent that the provider requires. */
export const withdrawConsent = endpoint({
  method: 'DELETE',
  path: '/consents/me/{kind}',
  session: 'required',
  roles: ['USER'],
  params: z.object({ kind }),
  failure: 'Failed to save your answer. Please try again later.',
})

export const consentChanged: Refusal = {
  status: 409,
  code: 'consent_changed',
  message: 'This text has just changed. Please read it again.',
}

/** How long a consent is kept as evidence after it was withdrawn or replaced. */
export const ENDED_CONSENT_YEARS = 6
