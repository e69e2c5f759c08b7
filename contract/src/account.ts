import * as z from 'zod/mini'
import { EMAIL_MAX, MASKED_EMAIL_SHOWN } from './limits.ts'

export const ROLES = ['USER', 'STAFF', 'ADMIN'] as const
export const role = z.enum(ROLES)
export type Role = z.infer<typeof role>

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(EMAIL_MAX, 'Enter a valid email address'),
    z.regex(ADDRESS, 'Enter a valid email address'),
  )

/** The person behind a session, as `check-auth` tells it. */
export const signedInUser = z.object({
  role,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
})
export type SignedInUser = z.infer<typeof signedInUser>

/** `james@example.com` → `jam**@example.com`: the first 3 characters of the local part, then asterisks. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const local = at < 0 ? address : address.slice(0, at)
  const shown = local.slice(0, MASKED_EMAIL_SHOWN)
  return shown + '*'.repeat(Math.max(local.length - shown.length, 1)) + address.slice(local.length)
}
