import * as z from 'zod/mini'
import { role } from './account.ts'
import { byId, endpoint } from './endpoint.ts'
import { boxFolderId } from './folders.ts'
import {
  CURSOR_MAX,
  ID_MAX,
  PASSWORD_MAX,
  PASSWORD_TOO_LONG,
  PASSWORD_MIN,
  PHONE_DIGITS,
  SEARCH_MAX,
} from './limits.ts'
import { passwordsMatch, newPassword, repeatedPassword } from './password.ts'
import type { Refusal } from './refusal.ts'
import { identifier, secret, text } from './text.ts'

/** An account as staff see it. */
export const managedUser = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role,
  isActive: z.boolean(),
  phone: z.string(),
  salesforceId: z.nullable(z.string()),
  boxFolderId: z.nullable(z.string()),
  /** ISO timestamp. */
  createdAt: z.string(),
})
export type ManagedUser = z.infer<typeof managedUser>

export const SORTABLE = ['email', 'lastName', 'firstName', 'role', 'createdAt'] as const
export const sortBy = z.enum(SORTABLE)
export type SortBy = z.infer<typeof sortBy>
export const order = z.enum(['asc', 'desc'])
export type Order = z.infer<typeof order>

/** What a list of accounts can be limited to, beside a role. */
export const ACCOUNT_STATUSES = ['notLinked', 'inactive'] as const
export const accountStatus = z.enum(ACCOUNT_STATUSES)
export type AccountStatus = z.infer<typeof accountStatus>

const PHONE_CHARACTERS = /^[\d\s()+./\u2010-\u2015-]+$/
/** Fewer digits match too many phone numbers. */
const PHONE_SEARCH_MIN = 3

/** The digits of a search text that is written like a phone number or a part of one, without the country code. */
export function phoneInSearch(q: string): string | undefined {
  if (!PHONE_CHARACTERS.test(q)) return undefined
  const digits = q
    .trim()
    .replace(/^\+1/, '')
    .replace(/\D/g, '')
    .replace(new RegExp(`^1(?=\\d{${PHONE_DIGITS}}$)`), '')
  return digits.length < PHONE_SEARCH_MIN || digits.length > PHONE_DIGITS ? undefined : digits
}

/** Up to this many accounts the browser sorts, filters and pages; above it the server does. */
export const LISTING_MAX = 100_000
export const PAGE_SIZES = [10, 25] as const
export const SEARCH_DEBOUNCE_MS = 500
export const SNACKBAR_SECONDS = 3
export const EDIT_DIALOG_CLOSES_SECONDS = 1.5
export const RESET_DIALOG_CLOSES_SECONDS = 2

export const USER_UPDATED = 'User updated successfully!'
export const USER_PASSWORD_RESET = 'Password has been reset successfully!'

const TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters long`

const STAFF_ROLES = ['STAFF', 'ADMIN'] as const

export const listUsers = endpoint({
  method: 'GET',
  path: '/admin/users',
  session: 'required',
  roles: STAFF_ROLES,
  query: z.object({
    sortBy: z.prefault(sortBy, 'createdAt'),
    order: z.prefault(order, 'desc'),
    limit: z.prefault(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(LISTING_MAX)),
      LISTING_MAX,
    ),
    /** For pages that the server searches and filters; `cursor` is the `next` of the previous page. */
    q: z.optional(text({ max: SEARCH_MAX })),
    role: z.optional(role),
    status: z.optional(accountStatus),
    cursor: z.optional(identifier(CURSOR_MAX)),
  }),
  response: z.object({
    users: z.array(managedUser),
    /** Count of all accounts, independent of the search and the filters. */
    total: z.number(),
    /** Cursor of the next page; null on the last one. */
    next: z.nullable(z.string()),
  }),
  failure: 'Failed to load users. Please try again later.',
})

export const salesforceId = identifier(
  ID_MAX,
  /^[A-Za-z0-9]+$/,
  'Enter an id of letters and digits',
)

/** Only changed fields, none empty. */
export const updateUser = endpoint({
  method: 'PATCH',
  path: '/admin/users/{id}',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  body: z.object({ salesforceId: z.optional(salesforceId), boxFolderId: z.optional(boxFolderId) }),
  response: managedUser,
  failure: 'Failed to update user. Please try again later.',
})

/** The account is kept, and can no longer sign in. */
export const deactivateUser = endpoint({
  method: 'DELETE',
  path: '/admin/users/{id}',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  failure: 'Failed to delete user. Please try again later.',
})

/** The opposite of `deactivateUser`. Sessions and emailed links that ended by the deactivation stay void. */
export const reactivateUser = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/reactivate',
  params: byId,
  session: 'required',
  roles: ['ADMIN'],
  response: managedUser,
  failure: 'Failed to make the account active again. Please try again later.',
})

/** Sets a temporary password: after signing in with it, the user must choose a new one. */
export const resetUserPassword = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/reset-password',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  body: z
    .object({
      newPassword: z.pipe(
        secret({ max: PASSWORD_MAX, tooLong: PASSWORD_TOO_LONG }).check(
          z.minLength(PASSWORD_MIN, TOO_SHORT),
        ),
        newPassword,
      ),
      confirmPassword: repeatedPassword,
    })
    .check(passwordsMatch),
  failure: 'Failed to reset password. Please try again later.',
})

/** Staff change veterans' accounts; only administrators change those of personnel. */
export const veteransOnly: Refusal = {
  status: 403,
  code: 'veterans_only',
  message: 'Only an administrator can change the account of a colleague.',
}
export const contactUnknown: Refusal = {
  status: 422,
  code: 'contact_unknown',
  message: 'There is no contact with this Salesforce ID.',
}
export const contactTaken: Refusal = {
  status: 409,
  code: 'contact_taken',
  message: 'This Salesforce ID is linked to another account.',
}
/** For a cursor of another user or search, or an expired one. */
export const pageGone: Refusal = {
  status: 422,
  code: 'page_gone',
  message: 'This page no longer exists. Please start again from the first page.',
}
export const notYourself: Refusal = {
  status: 409,
  code: 'not_yourself',
  message: 'You cannot deactivate your own account.',
}
/** Of a password reset by staff. */
export const alreadyInactive: Refusal = {
  status: 409,
  code: 'already_inactive',
  message: 'This account is deactivated. Nobody can sign in to it.',
}

/** Events of the user's own account, newest first, in words for its owner. */
export const getActivity = endpoint({
  method: 'GET',
  path: '/account/activity/me',
  session: 'required',
  response: z.array(z.object({ at: z.string(), what: z.string() })),
  failure: 'Failed to get account activity.',
})
export const tooManyListings: Refusal = {
  status: 429,
  code: 'too_many_listings',
  message: 'Your list of accounts is still loading. Please wait a few seconds and try again.',
}
