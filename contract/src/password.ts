import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import type { Refusal } from './refusal.ts'

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

export const PASSWORD_UNMET = 'Password does not meet requirements'

export const newPassword = z.string().check(
  z.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`),
  z.refine((text) => unmetPasswordRules(text).length === 0, PASSWORD_UNMET),
)

export const forgotPasswordForm = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.toLowerCase(),
      z.includes('@', 'Please enter a valid email address.'),
      z.maxLength(EMAIL_MAX, 'Please enter a valid email address.'),
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

export const PASSWORDS_DIFFER = 'Passwords do not match'
export const PASSWORD_UNFIT = 'Please fix the password requirements below.'

const chosenPassword = z.string().check(
  z.maxLength(PASSWORD_MAX, PASSWORD_UNFIT),
  z.refine((text) => unmetPasswordRules(text).length === 0, PASSWORD_UNFIT),
)
export const alike = z.refine<{ newPassword: string; confirmPassword: string }>(
  (form) => form.newPassword === form.confirmPassword,
  { path: ['confirmPassword'], error: PASSWORDS_DIFFER },
)

export const resetPasswordForm = z
  .object({
    token: z.string().check(z.minLength(1, 'Invalid or missing token.'), z.maxLength(200)),
    newPassword: chosenPassword,
    confirmPassword: z.string(),
  })
  .check(alike)

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  session: 'none',
  body: resetPasswordForm,
  failure: 'Failed to reset password. Please try again later.',
})

export const changePasswordForm = z
  .object({
    currentPassword: z.string().check(z.minLength(1), z.maxLength(PASSWORD_MAX)),
    newPassword: chosenPassword,
    confirmPassword: z.string(),
  })
  .check(alike)

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
