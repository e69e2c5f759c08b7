import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

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

export const contactRequested = (method: ContactMethod): string =>
  `Your request for contact via ${method === 'Call' ? 'phone' : 'email'} has been sent.`
