import * as z from 'zod/mini'
import { email } from './account.ts'
import { verification } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { newPassword } from './password.ts'
import { firstName, lastName, phone, state } from './person.ts'

export const signUp = z.object({
  email,
  password: newPassword,
  firstName,
  lastName,
  phone,
  state,
})
export type SignUp = z.infer<typeof signUp>

/** The screen's form. The call has no field for the consent, since the form is not sent without it. */
export const signUpForm = z.extend(signUp, {
  terms: z.literal(true, 'You must accept the terms'),
})

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  session: 'none',
  status: 202,
  body: signUp,
  failure: 'Failed to sign up, please try again later.',
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify-email',
  session: 'challenge',
  body: verification,
  response: z.object({ salesforceInfo: z.object({ linkedToExistingAccount: z.boolean() }) }),
  failure: 'Failed to verify email code, please try again later.',
})
