import * as z from 'zod/mini'
import { EMAIL_MAX, MASKED_EMAIL_VISIBLE_CHARACTERS } from './limits.ts'
import { text } from './text.ts'

export const ROLES = ['USER', 'STAFF', 'ADMIN'] as const
export const role = z.enum(ROLES)
export type Role = z.infer<typeof role>

const INVALID_EMAIL = 'Enter a valid email address'

/** Requires one `@`, text before it, and a domain with an inner dot. A regular expression could need more than linear time. */
function isAddress(typed: string): boolean {
  const [local, domain, rest] = typed.split('@')
  return Boolean(
    local && domain?.slice(1, -1).includes('.') && rest === undefined && !/\s/.test(typed),
  )
}

export const email = text({ max: EMAIL_MAX, invalid: INVALID_EMAIL }).check(
  z.toLowerCase(),
  z.refine(isAddress, INVALID_EMAIL),
)

/** The user of a session, as `check-auth` returns it. */
export const signedInUser = z.object({
  role,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  /** Absent in responses of the previous release, like the fields below. */
  state: z.optional(z.string()),
  /** The veteran has not accepted the current version of a required text: ask before anything else. */
  consentsDue: z.optional(z.boolean()),
  /** False if the last emails before the sign-in bounced. */
  emailReachable: z.optional(z.boolean()),
})
export type SignedInUser = z.infer<typeof signedInUser>

/** `james@example.com` → `jam**@example.com`: the first 3 characters of the local part, then asterisks. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const local = at < 0 ? address : address.slice(0, at)
  const shown = local.slice(0, MASKED_EMAIL_VISIBLE_CHARACTERS)
  return shown + '*'.repeat(Math.max(local.length - shown.length, 1)) + address.slice(local.length)
}
