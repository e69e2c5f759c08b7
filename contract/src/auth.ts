import * as z from 'zod/mini'
import { email, role, signedInUser } from './account.ts'
import { endpoint } from './endpoint.ts'
import {
  CODE_DIGITS,
  PASSWORD_MAX,
  PASSWORD_TOO_LONG,
  RECENT_SIGN_IN_MINUTES,
  SIGN_IN_PASSWORD_MIN,
} from './limits.ts'
import type { Refusal } from './refusal.ts'
import { secret, text } from './text.ts'
import { waitInWords } from './wait.ts'

export const signInForm = z.object({
  email,
  password: secret({ max: PASSWORD_MAX, tooLong: PASSWORD_TOO_LONG }).check(
    z.minLength(
      SIGN_IN_PASSWORD_MIN,
      `Password must be at least ${SIGN_IN_PASSWORD_MIN} characters long`,
    ),
  ),
})

const WRONG_DIGITS = `Enter the ${CODE_DIGITS} digits from the email`

export const verificationCode = text({ max: CODE_DIGITS, invalid: WRONG_DIGITS }).check(
  z.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), WRONG_DIGITS),
)

/** `login`: the code of a sign-in. `email`: the code of a sign-up. */
export const verificationType = z.enum(['login', 'email'], 'Invalid verification type')
export type VerificationType = z.infer<typeof verificationType>

export const verification = z.object({ email, code: verificationCode })

export const CODE_RESENT = 'A new verification code has been sent to your email'

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  session: 'none',
  body: signInForm,
  failure: 'Failed to sign in, please try again later.',
})

export const verifyLogin = endpoint({
  method: 'POST',
  path: '/auth/verify-login',
  session: 'challenge',
  body: verification,
  response: z.object({
    user: z.object({ role }),
    /** Present after a temporary password, instead of a session: the user must set a new password with it. */
    resetToken: z.optional(z.string()),
  }),
  failure: 'Failed to verify sign in code, please try again later.',
})

export const resendVerificationCode = endpoint({
  method: 'POST',
  path: '/auth/resend-verification-code',
  session: 'challenge',
  status: 202,
  body: z.object({ email, verificationType }),
  failure: 'Failed to send email. Please try again later.',
})

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  session: 'none',
  failure: 'Failed to logout, please try again later.',
})

export const refresh = endpoint({
  method: 'POST',
  path: '/auth/refresh',
  session: 'none',
  failure: 'Your session has ended. Please sign in again.',
})

export const checkAuth = endpoint({
  method: 'GET',
  path: '/auth/check-auth',
  session: 'required',
  response: z.object({ user: signedInUser }),
  failure: 'Failed to get user info.',
})

export const wrongCredentials: Refusal = {
  status: 400,
  code: 'wrong_credentials',
  message:
    'That email and password do not match. Please check both and try again. ' +
    'If you never entered the code we emailed you, please sign up again.',
}
export const wrongCode: Refusal = {
  status: 400,
  code: 'wrong_code',
  message: 'That code is not right or has expired. Check your latest email, or ask for a new code.',
}
export const noChallenge: Refusal = {
  status: 400,
  code: 'no_challenge',
  message: 'This sign-in took too long. Please start again from the sign-in page.',
}
/** Not 403, after which the client would refresh the session and repeat the call. */
export const signInAgain: Refusal = {
  status: 409,
  code: 'sign_in_again',
  message: `Your last sign-in was more than ${RECENT_SIGN_IN_MINUTES} minutes ago. Please sign in again to go on.`,
}
export const resendTooSoon: Refusal = {
  status: 429,
  code: 'resend_too_soon',
  message: 'A code was sent a moment ago. Please wait before asking for another one.',
}
const tooManyTriesMessage = (seconds: number) =>
  `There were too many tries. Please try again ${waitInWords(seconds)}.`
/** The same for known and unknown emails, so that it does not show which emails have an account. */
export const tooManyTries = (retryAfterSeconds: number): Refusal => ({
  status: 429,
  code: 'too_many_tries',
  message: tooManyTriesMessage(retryAfterSeconds),
})
/** For limits that a password reset lifts. */
export const tooManyTriesToday = (retryAfterSeconds: number): Refusal => ({
  status: 429,
  code: 'too_many_tries',
  message: `${tooManyTriesMessage(retryAfterSeconds)} If this is your account, Forgot password lets you in at once.`,
})
export const tooManyCodes = (retryAfterSeconds: number): Refusal => ({
  status: 429,
  code: 'too_many_codes',
  message: `We sent several codes already. Please use the latest one, or ask for another ${waitInWords(retryAfterSeconds)}.`,
})
/** Returned only after the right password, so that it does not show which emails have an account. */
export const accountDeactivated = (phone: string): Refusal => ({
  status: 400,
  code: 'account_deactivated',
  message: `This account is not active. Please call ${phone} and we will help you.`,
})
