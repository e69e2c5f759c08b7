import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const nullableText = z.nullable(z.string())

/** The provider's data about a veteran; null where unknown. */
export const userInfo = z.object({
  firstName: nullableText,
  lastName: nullableText,
  phone: nullableText,
  email: nullableText,
  street: nullableText,
  city: nullableText,
  state: nullableText,
  zip: nullableText,
})
export type UserInfo = z.infer<typeof userInfo>

/** What a veteran said of their address. A part that is missing was not said. */
export interface Address {
  street?: string | null
  city?: string | null
  /** Its name. */
  state?: string | null
  zip?: string | null
}

export const getUserInfo = endpoint({
  method: 'GET',
  path: '/salesforce/user/me/data',
  session: 'required',
  roles: ['USER'],
  response: userInfo,
  failure: 'Failed to get user info.',
})
