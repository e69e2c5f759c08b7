import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { Refusal } from './refusal.ts'
import { waitInWords } from './wait.ts'

export const CONTACT_METHODS = ['Call', 'Email'] as const
const contactMethod = z.enum(CONTACT_METHODS)
export type ContactMethod = z.infer<typeof contactMethod>

export const requestContact = endpoint({
  method: 'POST',
  path: '/salesforce/request-contact/me',
  session: 'required',
  roles: ['USER'],
  status: 202,
  body: z.object({ method: contactMethod }),
  failure: 'Failed to request contact.',
})

/** The portal does not learn when the provider has answered a request, so it is shown for this long. */
export const CONTACT_REQUEST_SHOWN_DAYS = 14

export const getContactRequest = endpoint({
  method: 'GET',
  path: '/salesforce/request-contact/me',
  session: 'required',
  roles: ['USER'],
  response: z.object({
    /** The latest one; none if it is too old to be shown. */
    request: z.nullable(
      z.object({
        method: contactMethod,
        /** ISO timestamp. */
        requestedAt: z.string(),
      }),
    ),
  }),
  failure: 'Failed to get your contact request.',
})

export const contactRequested = (method: ContactMethod): string =>
  `Your request for contact via ${method === 'Call' ? 'phone' : 'email'} has been sent.`

export const tooManyContactRequests = (retryAfterSeconds: number): Refusal => ({
  status: 429,
  code: 'too_many_contact_requests',
  message: `We have your requests and will contact you. You can send another one ${waitInWords(retryAfterSeconds)}.`,
})

/** `day` such as `November 15`. */
export const askedForContact = (method: ContactMethod, day: string): string =>
  `You asked for ${method === 'Call' ? 'a call' : 'an email'} on ${day}.`
