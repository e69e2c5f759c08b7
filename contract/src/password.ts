import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, PASSWORD_TOO_LONG } from './limits.ts'
import type { Refusal } from './refusal.ts'
import { identifier, secret, text } from './text.ts'

const RESET_TOKEN_MAX = 200

export const PASSWORD_RULES = [
  {
    sentence: `At least ${PASSWORD_MIN} characters`,
    met: (typed: string) => typed.length >= PASSWORD_MIN,
  },
  { sentence: 'At least one symbol', met: (typed: string) => /[^\p{L}\p{N}\s]/u.test(typed) },
  { sentence: 'At least one digit', met: (typed: string) => /\d/.test(typed) },
  { sentence: 'At least one uppercase letter', met: (typed: string) => /\p{Lu}/u.test(typed) },
  { sentence: 'At least one lowercase letter', met: (typed: string) => /\p{Ll}/u.test(typed) },
  { sentence: 'No spaces', met: (typed: string) => !/\s/.test(typed) },
] as const

export function unmetPasswordRules(typed: string): string[] {
  return PASSWORD_RULES.filter((rule) => !rule.met(typed)).map((rule) => rule.sentence)
}

export const PASSWORD_BREAKS_RULES = 'Password does not meet requirements'

export const newPassword = secret({ max: PASSWORD_MAX, tooLong: PASSWORD_TOO_LONG }).check(
  z.refine((typed) => unmetPasswordRules(typed).length === 0, PASSWORD_BREAKS_RULES),
)

const INVALID_ADDRESS = 'Please enter a valid email address.'

export const forgotPasswordForm = z.object({
  email: text({ max: EMAIL_MAX, invalid: INVALID_ADDRESS }).check(
    z.toLowerCase(),
    z.includes('@', INVALID_ADDRESS),
  ),
})

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot-password',
  session: 'none',
  status: 202,
  body: forgotPasswordForm,
  failure: 'Failed to send email. Please try again later.',
})

const PASSWORDS_DIFFER = 'Passwords do not match'
export const FIX_PASSWORD_BELOW = 'Please fix the password requirements below.'

const chosenPassword = secret({ max: PASSWORD_MAX, tooLong: FIX_PASSWORD_BELOW }).check(
  z.refine((typed) => unmetPasswordRules(typed).length === 0, FIX_PASSWORD_BELOW),
)
/** Has no rules of its own: it must only equal the new password. */
export const repeatedPassword = secret({ max: PASSWORD_MAX, tooLong: PASSWORDS_DIFFER })

export const passwordsMatch = z.refine<{ newPassword: string; confirmPassword: string }>(
  (form) => form.newPassword === form.confirmPassword,
  { path: ['confirmPassword'], error: PASSWORDS_DIFFER },
)

export const resetPasswordForm = z
  .object({
    token: identifier(RESET_TOKEN_MAX, undefined, 'Invalid or missing token.'),
    newPassword: chosenPassword,
    confirmPassword: repeatedPassword,
  })
  .check(passwordsMatch)

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  session: 'none',
  body: resetPasswordForm,
  failure: 'Failed to reset password. Please try again later.',
})

export const changePasswordForm = z
  .object({
    currentPassword: secret({ max: PASSWORD_MAX, tooLong: PASSWORD_TOO_LONG }).check(
      z.minLength(1, 'Please enter a password'),
    ),
    newPassword: chosenPassword,
    confirmPassword: repeatedPassword,
  })
  .check(passwordsMatch)

export const PASSWORD_CHANGED = 'Your password has been successfully updated!'

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password-with-current-password',
  session: 'required',
  body: changePasswordForm,
  failure: 'Failed to reset password. Please try again later.',
})

export const resetLinkVoid: Refusal = {
  status: 400,
  code: 'reset_link_void',
  message: 'This link was used already or has expired. Please ask for a new one.',
}
export const wrongCurrentPassword: Refusal = {
  status: 400,
  code: 'wrong_current_password',
  message: 'Your current password is not right.',
}
