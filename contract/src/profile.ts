import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const known = z.nullable(z.string())

/** The provider's data about a veteran; null where unknown. */
export const userInfo = z.object({
  firstName: known,
  lastName: known,
  phone: known,
  email: known,
  street: known,
  city: known,
  state: known,
  zip: known,
})
export type UserInfo = z.infer<typeof userInfo>

export const getUserInfo = endpoint({
  method: 'GET',
  path: '/salesforce/user/me/data',
  session: 'required',
  roles: ['USER'],
  answer: userInfo,
  failure: 'Failed to get user info.',
})
