import * as z from 'zod/mini'
import {
  EMAIL_MAX,
  MASKED_EMAIL_SHOWN,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PHONE_DIGITS,
} from './limits.ts'

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

export const PASSWORD_RULES = [
  {
    sentence: `At least ${PASSWORD_MIN} characters`,
    met: (text: string) => text.length >= PASSWORD_MIN,
  },
  { sentence: 'At least one symbol', met: (text: string) => /[^\p{L}\p{N}\s]/u.test(text) },
  { sentence: 'At least one digit', met: (text: string) => /\d/.test(text) },
  { sentence: 'At least one uppercase letter', met: (text: string) => /\p{Lu}/u.test(text) },
  { sentence: 'At least one lowercase letter', met: (text: string) => /\p{Ll}/u.test(text) },
  { sentence: 'No spaces', met: (text: string) => !/\s/.test(text) },
] as const

export function unmetPasswordRules(text: string): string[] {
  return PASSWORD_RULES.filter((rule) => !rule.met(text)).map((rule) => rule.sentence)
}

export const newPassword = z.string().check(
  z.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`),
  z.refine((text) => unmetPasswordRules(text).length === 0, 'Password does not meet requirements'),
)

export const phone = z
  .string()
  .check(
    z.regex(
      new RegExp(`^\\d{${PHONE_DIGITS}}$`),
      `Enter a valid ${PHONE_DIGITS}-digit phone number`,
    ),
  )

export const firstName = z.string().check(z.trim(), z.minLength(1, 'First name is required'))
export const lastName = z.string().check(z.trim(), z.minLength(1, 'Last name is required'))

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
