import * as z from 'zod/mini'
import { EMAIL_MAX, MASKED_EMAIL_VISIBLE_CHARACTERS } from './limits.ts'
import { text } from './text.ts'

export const ROLES = ['USER', 'STAFF', 'ADMIN'] as const
export const role = z.enum(ROLES)
export type Role = z.infer<typeof role>

const INVALID_EMAIL = 'Enter a valid email address'

/** Runs of these characters, with single dots between them (RFC 5322, dot-atom). Quoted and non-ASCII ones are refused. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** What a URL would read as something else than a part of a host, and characters that nobody sees. */
const NOT_IN_DOMAIN = /[\s/?#@:%[\]\\<>^|]|\p{Cf}/u
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d-]*[a-z][a-z\d-]*$/

/** In ASCII, as mail servers see it (UTS 46); empty if it is none. */
function asciiDomain(domain: string): string {
  if (NOT_IN_DOMAIN.test(domain)) return ''
  try {
    const { hostname } = new URL(`https://${domain}`)
    return DOMAIN.test(hostname) ? hostname : ''
  } catch {
    return ''
  }
}

/**
 * The one spelling of an address: other spellings of the same mailbox would have limits and accounts of their own.
 * Empty if it is no address.
 */
function canonical(typed: string): string {
  const at = typed.lastIndexOf('@')
  const [local, domain] = [typed.slice(0, Math.max(at, 0)), asciiDomain(typed.slice(at + 1))]
  return domain && LOCAL_PART.test(local) ? `${local.toLowerCase()}@${domain}` : ''
}

export const email = text({ max: EMAIL_MAX, invalid: INVALID_EMAIL }).check(
  z.overwrite(canonical),
  z.minLength(1, INVALID_EMAIL),
  z.maxLength(EMAIL_MAX, INVALID_EMAIL),
)

/** The user of a session, as `check-auth` returns it. */
export const signedInUser = z.object({
  role,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  state: z.string(),
  /** The veteran has not accepted the current version of a required text: ask before anything else. */
  consentsDue: z.boolean(),
  /** False if the last emails before the sign-in bounced. */
  emailReachable: z.boolean(),
})
export type SignedInUser = z.infer<typeof signedInUser>

/** `james@example.com` → `jam**@example.com`: the first 3 characters of the local part, then asterisks. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const local = at < 0 ? address : address.slice(0, at)
  const shown = local.slice(0, MASKED_EMAIL_VISIBLE_CHARACTERS)
  return shown + '*'.repeat(Math.max(local.length - shown.length, 1)) + address.slice(local.length)
}
